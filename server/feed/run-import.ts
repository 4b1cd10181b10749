import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { addDays, dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import type { Destination } from '../../domain/destination.ts';
import { referenceState } from '../inventory/tables/reference-tables.ts';
import type { FeedAirports } from './feed-airports.ts';
import { type FeedDictionaries, feedDictionaries } from './feed-dictionaries.ts';
import { placeFinder } from './feed-places.ts';
import { type FeedMapping, parseMapping } from './formats/awin-csv/mapping.ts';
import { withHead } from './formats/feed-bytes.ts';
import { chooseFormat, type FormatName } from './formats/feed-format.ts';
import { FeedFault } from './formats/raw-row.ts';
import type { ProviderSetting } from './provider-settings.ts';
import { type RowCounts, readPackages } from './read-packages.ts';
import type { RefusalFile } from './refusal-file.ts';
import { openSource } from './source/open-source.ts';
import { unpackFeed } from './source/unpack-feed.ts';
import { type PlaceCount, unlistedPlaces } from './unlisted-places.ts';
import { applyDifference, type FeedStore } from './write/apply-difference.ts';
import { type Difference, findDifference } from './write/difference.ts';
import { reasonsToHold } from './write/hold-back.ts';
import type { ImportLease } from './write/import-lease.ts';
import { medianPriceOf, openStaging } from './write/staging.ts';
import { inventoryKind, writeLastImport } from './write/store-notes.ts';

const MS_A_MINUTE = 60_000;

export type ImportPhase = 'Fetching' | 'Reading' | 'Comparing' | 'Writing';

export interface ImportOrder {
  /** A file, `-`, or an https address. */
  source: string;
  input: Readable;
  /** Hosts that feeds are fetched from. */
  hosts: readonly string[];
  /** null: what it looks like. */
  format: FormatName | null;
  /** A mapping file. */
  mappingPath: string | null;
  provider: ProviderSetting;
  airports: FeedAirports;
  destinations: readonly Destination[];
  /** Writes also what would be held back. */
  isAccepted: boolean;
  /** Changes nothing. */
  isTrial: boolean;
  stagingFolder: string;
  /** Holds a feed that is piped in or fetched. */
  sourceFolder: string;
  report: RefusalFile;
  now: () => number;
  /** `of` is null where the end is not known; `rows` are those read or written so far. */
  onProgress: (phase: ImportPhase, done: number, of: number | null, rows: number) => void;
}

export interface ImportOutcome {
  kind: 'imported' | 'unchanged' | 'held' | 'tried';
  format: FormatName;
  counts: RowCounts;
  difference: Difference;
  /** Why it is held back, or would be. */
  reasons: string[];
  /** Places of these packages that visitors cannot choose. */
  unlisted: PlaceCount[];
  /** Milliseconds. */
  took: { reading: number; comparing: number; writing: number };
}

/**
 * Imports a provider's feed: read, checked and staged whole, compared with what is there, and swapped in whole or
 * not at all. Throws a FeedFault where it cannot be taken; nothing is changed then. The caller has the lease.
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

  const file = await openSource(order.source, {
    input: order.input,
    folder: order.sourceFolder,
    hosts: order.hosts,
    onRead: (bytes, of) => {
      lease.renew();
      onProgress('Fetching', bytes, of, 0);
    },
  });
  const staging = openStaging(order.stagingFolder);
  try {
    const dictionaries = feedDictionaries(store.database, staging, {
      provider,
      airports,
      onWalked: () => lease.renew(),
    });
    const format = await stageFeed(dictionaries);
    const readAt = now();
    onProgress('Comparing', 0, null, counts.rows);
    const difference = findDifference(store.database, staging, {
      provider: dictionaries.provider,
      onWalked: () => lease.renew(),
      onKept: (row) => unlisted.count(row),
      onDuplicate(line, kept) {
        const reason = 'is a package that another line sells for less, or first for as much';
        report.add(line, [{ field: '', value: `line ${kept}`, reason }], true);
      },
    });
    if (difference.packages === 0) {
      throw new FeedFault(
        `${counts.rows === 0 ? 'The feed has no row behind its header' : `None of the feed's ${counts.rows} rows could be taken`}, so nothing was changed. To end a provider's offers, run npm run feed -- remove --provider ${provider.code}.`,
      );
    }
    const reasons = reasonsToHold({
      before: packagesBefore(store, dictionaries.provider, firstDay),
      after: { packages: difference.packages, median: staging.medianPrice() },
      rows: counts.rows,
      refused: counts.refused,
    });
    const comparedAt = now();
    const kind = order.isTrial
      ? 'tried'
      : reasons.length > 0 && !order.isAccepted
        ? 'held'
        : write(dictionaries, format, difference);
    const took = { reading: readAt - startedAt, comparing: comparedAt - readAt, writing: now() - comparedAt };
    return { kind, format, counts, difference, reasons, unlisted: unlisted.list(), took };
  } finally {
    staging.close();
    file.close();
  }

  async function stageFeed(dictionaries: FeedDictionaries): Promise<FormatName> {
    let bytesRead = 0;
    const unpacked = unpackFeed(file.path, (bytes) => {
      bytesRead = bytes;
    });
    const { head, all } = await withHead(unpacked);
    const format = chooseFormat(head, order.format, mapping);
    const findPlace = placeFinder(order.destinations);
    const context = { provider, airports, findPlace, now: startedAt };
    const seenAt = Math.floor(startedAt / MS_A_MINUTE);
    for await (const packages of readPackages(all, format, context, report, counts)) {
      for (const offer of packages) {
        const made = dictionaries.rowOf(offer, seenAt);
        if (made.kind === 'row') {
          staging.add(made.row, offer.line);
          unlisted.note(made.row, offer);
          if (made.remarks.length > 0) report.remark(offer.line, made.remarks);
        } else {
          counts.refused += 1;
          report.add(offer.line, made.problems, false);
        }
      }
      lease.renew();
      onProgress('Reading', bytesRead, file.size, counts.rows);
    }
    return format.name;
  }

  function write(
    dictionaries: FeedDictionaries,
    format: FormatName,
    difference: Difference,
  ): 'imported' | 'unchanged' {
    const { added, changed, seenAgain, removed, packages } = difference;
    const toWrite = added + changed + seenAgain + removed;
    if (toWrite === 0 && !dictionaries.hasChanges()) return 'unchanged';
    applyDifference(store, {
      staging,
      reference: dictionaries.changes(),
      firstDay,
      check() {
        lease.check();
        refuseSample(store);
        if (referenceState(store.database) === version) return;
        throw new FeedFault(
          'The store was changed by somebody else meanwhile, so nothing was written: try again.',
        );
      },
      onWritten: (written) => onProgress('Writing', written, toWrite, written),
      finish() {
        const at = new Date(startedAt).toISOString();
        const { refused } = counts;
        writeLastImport(store.database, provider.code, {
          at,
          format,
          packages,
          added,
          changed,
          removed,
          refused,
        });
      },
    });
    return 'imported';
  }
}

/** The feeds and the invented never mix. */
function refuseSample({ database }: FeedStore): void {
  if (inventoryKind(database) !== 'sample') return;
  throw new FeedFault(
    'The store holds the sample inventory, and a feed never stands beside it: set SAMPLE_INVENTORY=off, stop the server, run npm run sample:clear, and import again.',
  );
}

function packagesBefore({ database }: FeedStore, provider: number, firstDay: number) {
  const condition = 'where provider = ? and departure_day >= ?';
  const count = database.prepare(`select count(*) from offer ${condition}`).row(provider, firstDay)?.[0];
  return {
    packages: Number(count),
    median: medianPriceOf(database, 'offer', condition, [provider, firstDay]),
  };
}

function readMapping(path: string): FeedMapping {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new FeedFault(
      `The mapping ${path} cannot be read: ${error instanceof Error ? error.message : ''}`,
      {
        cause: error,
      },
    );
  }
  const parsed = parseMapping(text, path);
  if (parsed.kind === 'refused') throw new FeedFault(parsed.message);
  return parsed.mapping;
}
