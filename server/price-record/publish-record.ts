import { gzipSync } from 'node:zlib';
import { adviceFor, chanceOfFall, kindOf, MIN_SETTLED, waitLearner } from '../../domain/book-or-wait.ts';
import { addDays, fromDayNumber } from '../../domain/calendar-date.ts';
import { PRICE_RECORD_PLACES, PRICE_RECORD_ROOT, PRICE_RECORD_WAITS } from '../inventory/inventory-notes.ts';
import { itemKeyOf, parseItemKey } from '../inventory/item-key.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { storedCatalogue } from '../inventory/tables/stored-catalogue.ts';
import type { PackageRepository } from '../package-search/query/package-repository.ts';
import { type JudgeContext, type JudgedPackage, packageJudge } from '../price-history/judged-package.ts';
import { situationOf } from '../price-history/wait-advice.ts';
import { readNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { drawPackages, keyText } from './draw-packages.ts';
import { coverageByResort } from './place-coverage.ts';
import {
  AFTER_DAYS,
  FIRST_PLACE,
  formatFile,
  openVerdicts,
  parseFile,
  type RecordLine,
  rootOf,
  SCORED_DAYS,
  seedOf,
  UNSETTLED,
} from './record-file.ts';
import { priceRecordReader, SCORES_NOTE } from './record-store.ts';
import { type Score, scorer, waitOutcome } from './scores.ts';
import { settleVerdicts } from './settle-verdicts.ts';

/** The number of verdicts a day. */
const DRAWN_A_DAY = 1_000;

export interface RecordOptions extends Pick<JudgeContext, 'neighbours' | 'staleAfterDays'> {
  repository: Pick<PackageRepository, 'search' | 'findByKey'>;
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
  if ((roots.at(-1)?.day ?? '') >= day) return null;
  const [open, scored, learner] = [openVerdicts(), scorer(), waitLearner()];
  const learn = (lines: readonly RecordLine[]) => {
    for (const line of lines) {
      scored.add(line);
      const outcome = waitOutcome(line);
      if (outcome !== null) learner.add(outcome);
    }
  };
  let previous = FIRST_PLACE;
  for (const one of roots) {
    const text = one.day > addDays(day, -SCORED_DAYS) ? await record.file(`${one.day}.csv`) : null;
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
  const [scores, waits, place] = [scored.scores(), learner.records(), { ...previous, day }];

  const drawn = await drawPackages(database, repository.search, { seed: seedOf(place), size, today, nowMs });
  const judge = await packageJudge({ ...options, database, catalogue }, nowMs);
  const offers = await repository.findByKey(drawn);
  await catalogue.load(offers.map(({ row }) => row));
  const codesOf = offerCodes(catalogue);
  const verdicts: RecordLine[] = [];
  for (const { row } of offers) {
    const judged = await judge(itemKeyOf(codesOf(row)));
    if (judged !== null) verdicts.push(verdictLine(day, judged, waits));
  }
  if (outcomes.length + verdicts.length === 0) return null;
  const text = formatFile(place, [...outcomes, ...verdicts]);
  const root = rootOf(place.previousRoot, text);
  const places = await coverageByResort(scored.coverage(), catalogue);
  return database.write('records', async (tx) => {
    // Another server may have published meanwhile.
    if (((await readNote(tx, PRICE_RECORD_ROOT)) ?? FIRST_PLACE.previousRoot) !== place.previousRoot)
      return null;
    await tx.sql
      .run`insert into price_record (day, root, file) values (${today}, ${root}, ${gzipSync(text)})`;
    await writeNote(tx, PRICE_RECORD_ROOT, root);
    await writeNote(tx, SCORES_NOTE, JSON.stringify(scores));
    await writeNote(tx, PRICE_RECORD_WAITS, JSON.stringify(hasLost(scores) ? null : waits));
    await writeNote(tx, PRICE_RECORD_PLACES, JSON.stringify(places));
    return verdicts.length;
  });
}

/** Whether following the advice has not paid. It is still published, so that its record can recover. */
function hasLost(scores: readonly Score[]): boolean {
  const followed = scores.find(({ name }) => name === `followed-${AFTER_DAYS[0]}`);
  return followed !== undefined && followed.lines >= MIN_SETTLED && followed.sum <= 0;
}

function verdictLine(
  drawn: string,
  judged: JudgedPackage,
  waits: ReturnType<ReturnType<typeof waitLearner>['records']>,
): RecordLine {
  const { itemKey, offer, modelVersion, judgement } = judged;
  const { verdict, band, expected } = judgement;
  const situation = situationOf(judged);
  const wait = situation === null ? undefined : waits[kindOf(situation)];
  const fall = chanceOfFall(wait);
  return {
    drawn,
    package: itemKey,
    price: offer.price,
    charges: offer.total - offer.price,
    verdict: verdict === 'check-price' ? 'check' : verdict,
    low: band?.low ?? null,
    high: band?.high ?? null,
    expected,
    fall: fall === null ? null : Math.round(fall * 1_000) / 1_000,
    advice: adviceFor(wait),
    model: modelVersion,
    median: situation?.median ?? null,
    unchanged: situation?.daysUnchanged ?? 0,
    ...UNSETTLED,
  };
}

/** The packages of a day's verdicts, as `keyText`, which are left out of that day's training. */
export async function drawnOn(database: SqlDatabase, today: number): Promise<ReadonlySet<string>> {
  const catalogue = await storedCatalogue()(database);
  const day = fromDayNumber(today);
  const text = (await priceRecordReader(database).file(`${day}.csv`)) ?? '';
  const drawn = text.split('\n').filter((row) => row.startsWith(`${day},`));
  const keys = await Promise.all(drawn.map((row) => parseItemKey(row.split(',')[1] ?? '', catalogue)));
  return new Set(keys.flatMap((key) => (key === null ? [] : keyText(key))));
}
