import {
  adviceFor,
  chanceOfFall,
  kindOf,
  MIN_SETTLED,
  type WaitRecord,
  waitLearner,
} from '../../domain/book-or-wait.ts';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import { itemKeyOf, parseItemKey } from '../inventory/item-key.ts';
import { totalPrice } from '../inventory/offer-charges.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { type StoredCatalogue, storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import type { PackageRepository } from '../package-search/query/package-repository.ts';
import { type JudgedPackage, packageJudge } from '../price-history/judged-package.ts';
import { situationOf } from '../price-history/wait-advice.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { drawPackages, keyText } from './draw-packages.ts';
import { FIRST_ROOT, formatFile, readFileText, rootOf, seedOf, type Verdict } from './record-file.ts';
import { readFileOf, readFilesFrom, readLatest, writeRecord } from './record-table.ts';
import { recordWalk, waitOutcome } from './record-walk.ts';
import { formatScores, SCORED_DAYS, type Score, scorer } from './scores.ts';
import { settleVerdicts } from './settle-verdicts.ts';

/** The number of verdicts a day. */
const DRAWN_A_DAY = 1_000;

/** Files before the scored ones still have open verdicts for this many days. */
const OPEN_DAYS = 30;

export interface RecordOptions {
  search: PackageRepository['search'];
  neighbours: AirportNeighbours;
  staleAfterDays: number;
  /** Days count from 1970-01-01. */
  today: number;
  nowMs: number;
  /** How many verdicts to draw. */
  size?: number;
}

/**
 * Publishes today's file once: settles the verdicts that are due, learns from all of them, then draws and judges
 * today's packages. Call it before training, on one server at a time. Returns the number of verdicts; null if today
 * has a file already.
 */
export async function publishRecord(database: SqlDatabase, options: RecordOptions): Promise<number | null> {
  const { today, nowMs, search, size = DRAWN_A_DAY } = options;
  const latest = await readLatest(database);
  if (latest !== null && latest.day >= today) return null;
  const day = fromDayNumber(today);
  const catalogue = await storedCatalogue(database)();
  const walk = recordWalk();
  const [scored, learner] = [scorer(day), waitLearner()];
  const add = (file: Parameters<typeof walk.add>[0]) => {
    for (const settled of walk.add(file)) {
      scored.add(settled);
      const outcome = waitOutcome(settled);
      if (outcome !== null) learner.add(outcome);
    }
  };
  for await (const file of readFilesFrom(database, today - SCORED_DAYS - OPEN_DAYS))
    add(readFileText(file.day, file.text));
  const outcomes = await settleVerdicts(database, catalogue, walk.due(day), today);
  add({ day, outcomes, verdicts: [] });
  const scores = scored.scores();
  const records = learner.records();

  const previousRoot = latest?.root ?? FIRST_ROOT;
  const place = { day, previousDay: latest && fromDayNumber(latest.day), previousRoot };
  const drawn = await drawPackages(database, search, { seed: seedOf(previousRoot, day), size, today, nowMs });
  const { neighbours, staleAfterDays } = options;
  const judge = await packageJudge(database, catalogue, neighbours, staleAfterDays, nowMs);
  const verdicts: Verdict[] = [];
  for (const key of drawn) {
    const itemKey = itemKeyOf(offerCodes(catalogue)(key));
    const judged = await judge(itemKey);
    if (judged !== null) verdicts.push(verdictOf(itemKey, judged, records));
  }
  const text = formatFile(place, { day, outcomes, verdicts });
  const isWritten = await writeRecord(
    database,
    latest?.root ?? null,
    { day: today, root: rootOf(previousRoot, text), text },
    { scores: formatScores(scores), waits: hasLost(scores) ? null : records },
  );
  return isWritten ? verdicts.length : null;
}

/** Whether following the advice has not paid. It is still published, so that its record can recover. */
export function hasLost(scores: readonly Score[]): boolean {
  const followed = scores.find(({ name }) => name === 'followed-7');
  return followed !== undefined && followed.lines >= MIN_SETTLED && followed.sum <= 0;
}

function verdictOf(
  itemKey: string,
  judged: JudgedPackage,
  records: Readonly<Record<string, WaitRecord>>,
): Verdict {
  const { offer, expected, verdict } = judged;
  const situation = situationOf(judged);
  const record = situation === null ? undefined : records[kindOf(situation)];
  const fall = chanceOfFall(record);
  const price = offer[OFFER.price];
  const isJudged = verdict.kind === 'verdict';
  return {
    package: itemKey,
    price,
    charges: totalPrice(offer) - price,
    verdict: isJudged ? verdict.level : verdict.kind === 'check-price' ? 'check' : 'none',
    low: isJudged ? verdict.typicalLow : null,
    high: isJudged ? verdict.typicalHigh : null,
    expected: expected?.price ?? null,
    fall: fall === null ? null : Math.round(fall * 1_000) / 1_000,
    advice: adviceFor(record),
    model: expected?.version ?? null,
    median: situation?.median ?? null,
    unchanged: situation?.daysUnchanged ?? 0,
  };
}

/** Today's drawn packages, as `keyText`, to be left out of training. */
export async function drawnToday(database: SqlDatabase, today: number): Promise<ReadonlySet<string>> {
  const text = await readFileOf(database, today);
  if (text === null) return new Set();
  const catalogue: StoredCatalogue = await storedCatalogue(database)();
  const { verdicts } = readFileText(fromDayNumber(today), text);
  const drawn = new Set<string>();
  for (const one of verdicts) {
    const key = await parseItemKey(one.package, catalogue);
    if (key !== null) drawn.add(keyText(key));
  }
  return drawn;
}
