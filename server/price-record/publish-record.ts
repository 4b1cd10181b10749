import {
  adviceFor,
  chanceOfFall,
  kindOf,
  MIN_SETTLED,
  type WaitRecord,
  waitLearner,
} from '../../domain/book-or-wait.ts';
import { addDays, fromDayNumber } from '../../domain/calendar-date.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import { itemKeyOf, parseItemKey } from '../inventory/item-key.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import type { PackageRepository } from '../package-search/query/package-repository.ts';
import { type JudgedPackage, packageJudge } from '../price-history/judged-package.ts';
import { situationOf } from '../price-history/wait-advice.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { drawPackages, keyText } from './draw-packages.ts';
import { coverageByResort } from './place-coverage.ts';
import {
  AFTER_DAYS,
  FIRST_ROOT,
  formatFile,
  openVerdicts,
  parseFile,
  type RecordLine,
  rootOf,
  seedOf,
} from './record-file.ts';
import { priceRecordReader, writeRecord } from './record-store.ts';
import { type Score, scorer, waitOutcome } from './scores.ts';
import { settleVerdicts } from './settle-verdicts.ts';
import { SCORED_DAYS } from './verify-record.ts';

/** The number of verdicts a day. */
const DRAWN_A_DAY = 1_000;

export interface RecordOptions {
  repository: Pick<PackageRepository, 'search' | 'findByKey'>;
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
 * has a file already, or there is nothing to publish.
 */
export async function publishRecord(database: SqlDatabase, options: RecordOptions): Promise<number | null> {
  const { repository, today, nowMs, size = DRAWN_A_DAY } = options;
  const day = fromDayNumber(today);
  const record = priceRecordReader(database);
  const { roots } = await record.state();
  const latest = roots.at(-1);
  if (latest !== undefined && latest.day >= day) return null;
  const [open, scored, learner] = [openVerdicts(), scorer(), waitLearner()];
  let previous = { previousDay: null as string | null, previousRoot: FIRST_ROOT };
  const learn = (lines: readonly RecordLine[]) => {
    for (const line of lines) {
      scored.add(line);
      const outcome = waitOutcome(line);
      if (outcome !== null) learner.add(outcome);
    }
  };
  for (const one of roots) {
    const isRecent = one.day > addDays(day, -SCORED_DAYS);
    const text = isRecent ? await record.file(`${one.day}.csv`) : null;
    if (text !== null) {
      const { lines } = parseFile(text, { ...previous, day: one.day });
      open.add(one.day, lines);
      learn(lines);
    }
    previous = { previousDay: one.day, previousRoot: one.root };
  }
  const catalogue = await storedCatalogue()(database);
  const outcomes = await settleVerdicts(database, catalogue, open.due(day), today);
  learn(outcomes);
  const [scores, waits] = [scored.scores(), learner.records()];

  const place = { ...previous, day };
  const drawn = await drawPackages(database, repository.search, { seed: seedOf(place), size, today, nowMs });
  const judge = await packageJudge({ ...options, database, catalogue }, nowMs);
  const verdicts: RecordLine[] = [];
  const offers = await repository.findByKey(drawn);
  await catalogue.load(offers.map(({ row }) => row));
  const codesOf = offerCodes(catalogue);
  for (const { row } of offers) {
    const itemKey = itemKeyOf(codesOf(row));
    const judged = await judge(itemKey);
    if (judged !== null) verdicts.push(verdictLine(day, itemKey, judged, waits));
  }
  if (outcomes.length + verdicts.length === 0) return null;
  const text = formatFile(place, [...outcomes, ...verdicts]);
  const file = { day: today, root: rootOf(place.previousRoot, text), text };
  const places = await coverageByResort(scored.coverage(), catalogue);
  const state = { scores, waits: hasLost(scores) ? null : waits, places };
  return (await writeRecord(database, place.previousRoot, file, state)) ? verdicts.length : null;
}

/** Whether following the advice has not paid. It is still published, so that its record can recover. */
export function hasLost(scores: readonly Score[]): boolean {
  const followed = scores.find(({ name }) => name === `followed-${AFTER_DAYS[0]}`);
  return followed !== undefined && followed.lines >= MIN_SETTLED && followed.sum <= 0;
}

function verdictLine(
  drawn: string,
  itemKey: string,
  judged: JudgedPackage,
  waits: Readonly<Record<string, WaitRecord>>,
): RecordLine {
  const { offer, modelVersion } = judged;
  const { verdict, band, expected } = judged.judgement;
  const situation = situationOf(judged);
  const wait = situation === null ? undefined : waits[kindOf(situation)];
  const fall = chanceOfFall(wait);
  const { price } = offer;
  return {
    drawn,
    package: itemKey,
    price,
    charges: offer.total - price,
    verdict: verdict === 'check-price' ? 'check' : verdict,
    low: band?.low ?? null,
    high: band?.high ?? null,
    expected,
    fall: fall === null ? null : Math.round(fall * 1_000) / 1_000,
    advice: adviceFor(wait),
    model: modelVersion,
    median: situation?.median ?? null,
    unchanged: situation?.daysUnchanged ?? 0,
    after: null,
    outcome: null,
    later: null,
    lowest: null,
  };
}

/** The packages of a day's verdicts, as `keyText`, which are left out of that day's training. */
export async function drawnOn(database: SqlDatabase, today: number): Promise<ReadonlySet<string>> {
  const catalogue = await storedCatalogue()(database);
  const text = (await priceRecordReader(database).file(`${fromDayNumber(today)}.csv`)) ?? '';
  const drawn = new Set<string>();
  for (const [, itemKey = ''] of text.matchAll(new RegExp(`^${fromDayNumber(today)},([^,]*),`, 'gm'))) {
    const key = await parseItemKey(itemKey, catalogue);
    if (key !== null) drawn.add(keyText(key));
  }
  return drawn;
}
