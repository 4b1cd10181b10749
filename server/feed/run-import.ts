import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { addDays, dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import type { Destination } from '../../domain/destination.ts';
import { settleVisits } from '../ingest/settle-visits.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { referenceState } from '../inventory/tables/reference-tables.ts';
import { removeUnusedRecords } from '../inventory/tables/remove-unused-records.ts';
import { errorMessage } from '../lib/error-message.ts';
import { HISTORY_REFERENCES } from '../price-history/history-table.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import type { FormatName } from './formats/feed-format.ts';
import { type FeedMapping, parseMapping } from './formats/mapped/mapping.ts';
import { FeedFault } from './formats/raw-row.ts';
import type { FeedAirports } from './map/feed-airports.ts';
import { type FeedDictionaries, feedDictionaries } from './map/feed-dictionaries.ts';
import { placeFinder } from './map/feed-places.ts';
import type { HolidayProvider } from './map/holiday-providers.ts';
import type { RowCounts } from './map/read-packages.ts';
import { type PlaceCount, unlistedPlaces } from './map/unlisted-places.ts';
import type { RefusalFile } from './refusal-file.ts';
import { openSource } from './source/open-source.ts';
import { stageFeed } from './stage-feed.ts';
import type { Difference } from './write/difference.ts';
import { reasonsToHold } from './write/import-guardrails.ts';
import type { ImportLease } from './write/import-lease.ts';
import type { FeedStore } from './write/open-feed-store.ts';
import { priceMedian } from './write/price-median.ts';
import { holdSharedHotels } from './write/shared-hotels.ts';
import { openStaging, type Staging } from './write/staging.ts';
import { inventoryKind, writeLastImport } from './write/store-notes.ts';

/** While another import describes hotels with shared codes. */
const WAITING = 'Waiting for another import with shared hotel codes';

export type ImportPhase = 'Fetching' | typeof WAITING | 'Reading' | 'Comparing' | 'Writing';

export interface ImportOrder {
  /** A file, `-` for `input`, or an https URL on one of the `hosts`. */
  source: string;
  input: Readable;
  hosts: readonly string[];
  /** Null: detected. */
  format: FormatName | null;
  mappingPath: string | null;
  provider: HolidayProvider;
  airports: FeedAirports;
  destinations: readonly Destination[];
  /** Overrides the guardrails. */
  isAccepted: boolean;
  /** Finds the difference and writes nothing. */
  isTrial: boolean;
  stagingFolder: string;
  /** Stores a piped or fetched feed. */
  sourceFolder: string;
  report: RefusalFile;
  now: () => number;
  /** `of` is null if the total is unknown; `rows` counts the rows so far. */
  onProgress: (phase: ImportPhase, done: number, of: number | null, rows: number) => void;
}

export interface ImportOutcome {
  kind: 'imported' | 'unchanged' | 'held' | 'tried';
  format: FormatName;
  counts: RowCounts;
  difference: Difference;
  /** Why the import is kept for review, or would be without `isAccepted`. */
  reasons: string[];
  /** Places of its packages that are not on the destination list. */
  unlisted: PlaceCount[];
  took: { reading: number; comparing: number; writing: number };
  /** Why unused records could not be removed after the import. */
  clearingError: unknown;
}

/**
 * Imports a provider's feed, all or nothing. Throws a FeedFault if it cannot be imported, without changes.
 * The caller holds the lease.
 */
export async function runImport(
  store: FeedStore,
  lease: ImportLease,
  order: ImportOrder,
): Promise<ImportOutcome> {
  const { provider, airports, now, report, onProgress } = order;
  const mapping = order.mappingPath === null ? null : readMapping(order.mappingPath);
  refuseSample(store);
  const version = referenceState(store.database);
  const startedAt = now();
  const firstDay = dayNumber(addDays(todayInLondon(startedAt), 1));
  const counts: RowCounts = { rows: 0, refused: 0, leftOut: 0 };
  const unlisted = unlistedPlaces();
  const prices = new Map<number, number>();
  const onWalked = () => lease.renew();

  const source = await openSource(order.source, {
    input: order.input,
    folder: order.sourceFolder,
    hosts: order.hosts,
    onRead(bytes, of) {
      lease.renew();
      onProgress('Fetching', bytes, of, 0);
    },
  });
  let staging: Staging | null = null;
  try {
    staging = openStaging(order.stagingFolder);
    const onWait = () => {
      lease.renew();
      onProgress(WAITING, 0, null, 0);
    };
    const describesShared = provider.hotelCodes === 'shared' && !order.isTrial;
    const sharedHotels = describesShared ? await holdSharedHotels(store.database, onWait) : null;
    const dictionaries = feedDictionaries(store.database, staging.database, {
      provider,
      airports,
      transaction: order.isTrial ? null : store.writing.records,
      onWalked,
    });
    const format = await stageFeed({
      path: source.path,
      format: order.format,
      mapping,
      context: { provider, airports, findPlace: placeFinder(order.destinations), now: startedAt },
      dictionaries,
      staging,
      report,
      unlisted,
      counts,
      onBatch(bytesRead) {
        lease.renew();
        onProgress('Reading', bytesRead, source.size, counts.rows);
      },
    });
    // Frees the disk space of the feed's copy for comparing and writing.
    source.close();
    const stagedAt = now();
    const toCompare = counts.rows - counts.refused - counts.leftOut;
    let walked = 0;
    onProgress('Comparing', 0, toCompare, 0);
    const stored = dictionaries.isNewProvider ? null : dictionaries.provider;
    const difference = store.writing.compare({
      code: provider.code,
      staging,
      provider: stored,
      lines: {
        correct: dictionaries.corrected,
        onWalked() {
          onWalked();
          onProgress('Comparing', walked, toCompare, walked);
        },
        onKept(row) {
          walked += 1;
          unlisted.count(row);
          const price = row[OFFER.price];
          prices.set(price, (prices.get(price) ?? 0) + 1);
        },
        onDuplicate(line, kept) {
          walked += 1;
          reportDuplicate(report, line, kept);
        },
      },
    });
    refuseEmpty(difference, counts, provider.code);
    // A full disk must not fail an import that has committed.
    report.finish();
    const reasons = reasonsToHold({
      before: packagesBefore(store, stored, firstDay),
      after: { packages: difference.packages, median: priceMedian(prices) },
      rows: counts.rows,
      refused: counts.refused,
    });
    const comparedAt = now();
    const settle = () => {
      const importedAt = Math.floor(startedAt / 60_000);
      settleVisits(store.database, { provider: dictionaries.provider, importedAt, firstDay });
    };
    const kind = decide(order, reasons, difference, dictionaries);
    if (kind === 'imported') {
      const { packages, added, changed, seenAgain, removed } = difference;
      const toWrite = added + changed + seenAgain + removed;
      store.writing.apply({
        code: provider.code,
        staging,
        dictionaries,
        difference,
        firstDay,
        version,
        check() {
          lease.check();
          refuseSample(store);
          sharedHotels?.check();
        },
        onWritten: (written) => onProgress('Writing', written, toWrite, written),
        finish() {
          const at = new Date(startedAt).toISOString();
          const last = { at, format, packages, added, changed, removed, refused: counts.refused };
          writeLastImport(store.database, provider.code, last);
          sharedHotels?.renew();
          settle();
        },
      });
    } else if (kind === 'unchanged') {
      inTransaction(store.database, settle, `offers of ${provider.code}`);
    }
    const took = {
      reading: stagedAt - startedAt,
      comparing: comparedAt - stagedAt,
      writing: now() - comparedAt,
    };
    const clearingError = kind === 'imported' ? clearUnusedRecords(store, lease, difference) : undefined;
    return { kind, format, counts, difference, reasons, unlisted: unlisted.list(), took, clearingError };
  } finally {
    closeWriting(store);
    staging?.close();
    source.close();
  }
}

function reportDuplicate(report: RefusalFile, line: number, kept: number): void {
  const reason = 'duplicates a cheaper or earlier line';
  report.add(line, [{ field: '', value: `line ${kept}`, reason }], true);
}

function refuseEmpty({ packages }: Difference, { rows }: RowCounts, provider: string): void {
  if (packages > 0) return;
  const what =
    rows === 0 ? 'The feed has a header but no rows' : `None of the feed's ${rows} rows could be imported`;
  throw new FeedFault(
    `${what}, so nothing was changed. To remove the provider's packages, run npm run feed -- remove --provider ${provider}.`,
  );
}

function decide(
  { isTrial, isAccepted }: ImportOrder,
  reasons: readonly string[],
  { added, changed, seenAgain, removed }: Difference,
  dictionaries: FeedDictionaries,
): ImportOutcome['kind'] {
  if (isTrial) return 'tried';
  if (reasons.length > 0 && !isAccepted) return 'held';
  const isSame = added + changed + seenAgain + removed === 0 && !dictionaries.hasChanges();
  return isSame ? 'unchanged' : 'imported';
}

/** The provider's next import clears what a failed one leaves staged. */
function closeWriting({ writing }: FeedStore): void {
  try {
    writing.close();
  } catch {}
}

/** Returns an error: the import is complete, and the next one clears the rest. */
function clearUnusedRecords(
  { database }: FeedStore,
  lease: ImportLease,
  { removed, changed }: Difference,
): unknown {
  if (removed + changed === 0) return undefined;
  try {
    removeUnusedRecords(database, HISTORY_REFERENCES, lease.renew);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Feeds and the sample inventory never mix. */
function refuseSample({ database }: FeedStore): void {
  if (inventoryKind(database) !== 'sample') return;
  throw new FeedFault(
    'The store holds the sample inventory, which cannot be mixed with feeds: set SAMPLE_INVENTORY=off, stop the server, run npm run sample:clear, and import again.',
  );
}

/** The provider's packages in the store and their median price, without those about to expire. */
function packagesBefore({ database }: FeedStore, provider: number | null, firstDay: number) {
  if (provider === null) return { packages: 0, median: null };
  const counts = database
    .prepare('select price, count(*) from offer where provider = ? and departure_day >= ? group by price')
    .rows(provider, firstDay)
    .map(([price, count]) => [Number(price), Number(count)] as const);
  const packages = counts.reduce((sum, [, count]) => sum + count, 0);
  return { packages, median: priceMedian(counts) };
}

function readMapping(path: string): FeedMapping {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new FeedFault(`The mapping ${path} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
  const parsed = parseMapping(text, path);
  if (parsed.kind === 'refused') throw new FeedFault(parsed.message);
  return parsed.mapping;
}
