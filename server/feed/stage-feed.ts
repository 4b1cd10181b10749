import { statSync } from 'node:fs';
import { OFFER } from '../inventory/offer-columns.ts';
import { readNumber } from './formats/feed-fields.ts';
import { chooseFormat, type FormatName, HEAD_BYTES } from './formats/feed-format.ts';
import { fingerprintOf } from './formats/fingerprint.ts';
import { type FlatFields, readFlatItem } from './formats/flat-item.ts';
import type { Problem, RawRow } from './formats/raw-row.ts';
import type { FeedPackage } from './map/feed-package.ts';
import { placeFinder } from './map/feed-places.ts';
import { packageChecker } from './map/to-feed-package.ts';
import type { RunningImport } from './running-import.ts';
import { headOf, unpackFeed } from './source/unpack-feed.ts';
import { type LineMark, UNMARKED } from './write/staging.ts';

/** Rows that are staged together, and packages whose names are looked up in one transaction. */
const BATCH = 2_000;

/** London's clock is at most this far ahead of UTC. */
const SUMMER_MINUTES = 60;
const MINUTES_A_DAY = 24 * 60;

/** The most unlisted places to count. */
const MAX_PLACES = 10_000;

/** The fields that say at what price, when and where a package is sold, as a deletion has them. */
const NO_OFFER: FlatFields = {
  TotalPrice: 0,
  TotalPriceBeforeDiscount: undefined,
  LocalCharges: undefined,
  Currency: undefined,
  Expiry: undefined,
  ValidFrom: undefined,
  DeeplinkUrl: undefined,
  Deleted: true,
};

/** A row that was read: its package, or why it has none. */
type ReadRow =
  | { package: FeedPackage }
  | { package: null; line: number; problems: readonly Problem[]; isLeftOut: boolean };

/** Unpacks a feed, checks its rows and stages the valid ones. Returns the feed's format. */
export async function stageFeed(running: RunningImport): Promise<FormatName> {
  const { order, lease, staging, dictionaries, counts, profile, sequence, seenAt, unlisted } = running;
  const { path, mapping, provider, airports, isChanges, report } = order;
  const { size } = statSync(path);
  let bytesRead = 0;
  const { file = null } = mapping ?? {};
  const onRead = async (bytes: number) => {
    bytesRead = bytes;
  };
  const unpacked = unpackFeed(path, onRead, file);
  const format = chooseFormat(await headOf(path, HEAD_BYTES, file), order.format, mapping);
  report.locate(format.columnOf);
  const findPlace = placeFinder(order.destinations, order.otherNames);
  const check = packageChecker({ provider, airports, findPlace, now: running.startedAt, isChanges });
  let batch: ReadRow[] = [];

  function refuse(line: number, problems: readonly Problem[], isLeftOut = false): void {
    batch.push({ package: null, line, problems, isLeftOut });
  }

  function take(row: RawRow): void {
    counts.rows += 1;
    if (row.kind === 'unreadable') {
      refuse(row.line, [{ field: '', value: row.value, reason: row.reason }]);
      return;
    }
    const { fields, problems, fingerprint } = row;
    // Also of a refused row, because its number is not missing.
    if (!sequence.take(readNumber(fields.Sequence))) return;
    // A deletion needs no price.
    if (fields.TotalPrice === undefined && fields.Deleted !== undefined) fields.TotalPrice = 0;
    const read = readFlatItem(fields);
    if (read.item === null || problems.length > 0) {
      const isBlank = problems.length === 0 && Object.values(fields).every((value) => value === undefined);
      // A field with a problem is not reported as missing too.
      const seen = new Set(problems.map(({ field }) => field));
      const more = read.problems.filter(({ field }) => !seen.has(field));
      refuse(row.line, isBlank ? [NO_FIELDS] : [...problems, ...more]);
      if (isChanges) withdraw(row.line, fields, [...problems, ...more]);
      return;
    }
    const checked = check(read.item, row.line, fingerprint);
    if (checked.kind === 'package') {
      batch.push({ package: checked.package });
      profile?.onItem(read.item);
      return;
    }
    refuse(row.line, checked.problems, checked.kind === 'left out');
    if (isChanges) withdraw(row.line, fields, checked.problems);
  }

  /** Takes a changed package off sale if only its offer is refused: what was known of it holds no longer. */
  function withdraw(line: number, fields: FlatFields, problems: readonly Problem[]): void {
    if (!problems.every(({ field }) => Object.hasOwn(NO_OFFER, field))) return;
    const { item } = readFlatItem({ ...fields, ...NO_OFFER });
    const checked = item === null ? null : check(item, line, null);
    if (checked?.kind === 'package') batch.push({ package: checked.package });
  }

  function reportRefused({ line, problems, isLeftOut }: ReadRow & { package: null }): void {
    counts[isLeftOut ? 'leftOut' : 'refused'] += 1;
    report.add(line, problems, isLeftOut ? { leftOut: true } : {});
  }

  /** Stages and reports the rows in their order, however many known lines are between them. */
  async function stageBatch(): Promise<void> {
    const packages = batch.flatMap((read) => read.package ?? []);
    const made = await dictionaries.rowsOf(packages, seenAt);
    let nth = 0;
    for (const read of batch) {
      if (read.package === null) {
        reportRefused(read);
        continue;
      }
      const { row = null, isDeleted = false, problems = [], remarks = [], isExact = false } = made[nth] ?? {};
      const offer = read.package;
      nth += 1;
      if (problems.length > 0) {
        counts.refused += 1;
        report.add(offer.line, problems);
      }
      if (row === null) continue;
      const { sequence } = offer;
      staging.add(row, offer.line, { sequence, isDeleted }, isExact ? markOf(offer) : UNMARKED);
      if (isDeleted) continue;
      const { isListed, isRegionListed } = offer.place;
      if (!isListed && unlisted.size < MAX_PLACES && !unlisted.has(row[OFFER.resort]))
        unlisted.set(row[OFFER.resort], { isRegionListed, count: 0 });
      profile?.onPackage(row, offer);
      if (remarks.length > 0) report.add(offer.line, remarks, { taken: true });
    }
    batch = [];
  }

  try {
    const reading = { sieve: running.known?.sieve ?? fingerprintOf, onUnread: profile?.onUnread ?? null };
    for await (const rows of format.read(unpacked, reading)) {
      for (const row of rows) take(row);
      if (batch.length >= BATCH) await stageBatch();
      await lease.renew();
      order.onProgress('Reading', `${Math.floor((100 * bytesRead) / size)}%, ${counts.rows} rows`);
    }
  } catch (error) {
    for (const read of batch) if (read.package === null) reportRefused(read);
    throw error;
  }
  await stageBatch();
  return format.name;
}

/** A line means the same until its package expires or departs. */
function markOf({ fingerprint, expiresAt, departureDay }: FeedPackage): LineMark {
  if (fingerprint === null) return UNMARKED;
  const { high, low } = fingerprint;
  return { high, low, until: Math.min(expiresAt, departureDay * MINUTES_A_DAY - SUMMER_MINUTES) };
}

/** For a blank row, or an object around the items: a list of missing fields would not explain it. */
const NO_FIELDS: Problem = {
  field: '',
  value: undefined,
  reason: "has none of an item's fields (docs/contracts/feed-columns.md)",
};
