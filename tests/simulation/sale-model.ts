import { type FeedFile, londonDay, type Row } from './feed-servers.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A checked price is in the store after at most this time, or never. */
const RECORDED_MS = 5 * MINUTE_MS;
const LATELY_MS = 7 * DAY_MS;

/** The sample's price for two people, of which first feeds may cost part: what a price per person or in pence shows. */
const SAMPLE_PRICE = 2 * 84_000;

const LEAST_PRICE = 2 * 3_000;

// What should be on sale, by docs/feeds.md. Shares no code with the product.

interface OnSale {
  price: number;
  departs: string;
  /** When the file that last had it was made. */
  madeAt: number;
  /** What the provider said about it, the latest first, and when last, in ms since 1970. Counts if it was recorded. */
  checked?: { prices: number[]; at: number } | undefined;
  /** When the store says that it was last seen; 0: not known yet. In ms since 1970. */
  seenAt: number;
  /** When `seenAt` was first found in the store, in ms since 1970. */
  saidAt: number;
}

interface Quarantined {
  was: number;
  price: number;
  day: string;
}

interface Measure {
  at: number;
  packages: number;
  median: number | null;
}

export interface Attempt {
  startedAt: number;
  outcome: string;
  /** The operator accepted the feed, or rolled back to it. */
  isAccepted: boolean;
  isRollback: boolean;
  isReapplied: boolean;
  /** The packages were withdrawn because providers.json no longer lists the provider. */
  isUnlisted: boolean;
  isChanges: boolean;
  /** Its changes do not follow those in the store. */
  isGap: boolean;
  checksum: string | null;
  message: string;
}

/** Throws `Violation` for what the product must not do. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** One provider's packages. */
export function saleModel(code: string, known: ReadonlyMap<string, FeedFile>) {
  let sale = new Map<string, OnSale>();
  let quarantine = new Map<string, Quarantined>();
  let measures: Measure[] = [];
  let held: FeedFile | null = null;
  /** The good full feeds, the latest first. */
  let good: { file: FeedFile; quarantined: number }[] = [];
  const rejected = new Set<string>();
  const imported = new Set<string>();
  let last: FeedFile | null = null;
  /** The latest time stamp of a file that was read and not refused, in ms since 1970. */
  let stampedAt = 0;
  let sequence = -2;
  let isOfChanges = false;
  let seenAt: number | null = null;
  /** When the source was last read, even if it had a feed that an operator rejected. */
  let readAt = 0;
  /** When the latest run began, if its feed waits for review or was rejected: neither is retried. Null: otherwise. */
  let reviewedAt: number | null = null;
  let goodAt: number | null = null;
  let wholeAt: number | null = null;
  /** The attempts to fetch the whole feed since the last good one; whether the last got a feed that may not be sold. */
  let triesSinceSeen = 0;
  let wasRefused = false;
  let hasWholeFailed = false;
  let haveChangesFailed = false;
  /** The first change that the latest changes lacked, and the later feeds that have it, by checksum. */
  let gap: { missing: number; closedBy: Set<string> } | null = null;

  function noteState({ outcome, startedAt, isChanges, isGap }: Attempt): void {
    if (isGap) gap = { missing: sequence + 1, closedBy: new Set() };
    if (outcome === 'failed' && isChanges) haveChangesFailed = true;
    else if (outcome === 'failed') hasWholeFailed = true;
    if (!isChanges && outcome !== 'withdrawn') {
      triesSinceSeen += 1;
      if (outcome !== 'failed') readAt = startedAt;
      reviewedAt = ['held', 'skipped', 'discarded'].includes(outcome) ? startedAt : null;
    }
    wasRefused = outcome !== 'failed';
    if (outcome !== 'imported' && outcome !== 'unchanged') return;
    triesSinceSeen = 0;
    goodAt = startedAt;
    haveChangesFailed = false;
    if (isChanges) return;
    wholeAt = startedAt;
    hasWholeFailed = false;
  }

  const wrong = (what: string): never => {
    throw new Violation(`${code}: ${what}`);
  };

  function fileOf(checksum: string | null): FeedFile {
    const file = checksum === null ? undefined : known.get(checksum);
    return file ?? wrong(`imported a feed that it never got (${checksum})`);
  }

  /** The rows that are not in the store already, by their numbers if it has changes only. */
  function newRows(file: FeedFile, after = sequence): Row[] {
    return file.rows.filter((row) => !file.isChanges || (row.sequence ?? 0) > after);
  }

  /** The packages of a feed that may still be sold, by the changes' order if it has changes only. */
  function rowsOf(file: FeedFile, now: number, after = sequence): Map<string, Row> {
    const tomorrow = londonDay(now + DAY_MS);
    const rows = new Map<string, Row>();
    if (file.isChanges)
      for (const [hotel, { price, departs }] of sale) rows.set(hotel, { hotel, price, departs });
    const own = newRows(file, after).toSorted((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0));
    for (const row of own) {
      if (row.isDeleted || isRefused(row)) rows.delete(row.hotel);
      else rows.set(row.hotel, row);
    }
    return new Map([...rows].filter(([, { departs }]) => departs >= tomorrow));
  }

  /** The stored package if a price check since the feed's file was made says what it costs. */
  function checkedSince(stored: OnSale | undefined, file: FeedFile, now: number): OnSale | null {
    const madeAt = Math.floor(Math.max(file.madeAt, last?.madeAt ?? now) / MINUTE_MS) * MINUTE_MS;
    if (stored === undefined || stored.seenAt <= madeAt) return null;
    // In the future, if the clock was ahead.
    const isBeforeImport = stored.saidAt < now || Math.abs(now - stored.seenAt) > RECORDED_MS;
    return isBeforeImport ? stored : null;
  }

  /** Whether a price may be sold; if not, it is compared with `was` again, or its earlier entry stays. */
  function judged(file: FeedFile, hotel: string, price: number) {
    const stored = sale.get(hotel);
    const entry = stored === undefined ? quarantine.get(hotel) : undefined;
    const was = stored?.price ?? entry?.was ?? price;
    const agreed =
      entry !== undefined && Math.abs(price - entry.price) * 100 <= entry.price * 5 ? entry : null;
    const isConfirmed =
      agreed !== null && agreed.day < londonDay(file.madeAt) && !imported.has(file.checksum);
    return { was, agreed, isOnSale: isConfirmed || (price * 3 >= was && price <= was * 3) };
  }

  /** Why an operator has to review a feed. */
  function reasonsToHold(file: FeedFile, now: number): string[] {
    const tomorrow = londonDay(now + DAY_MS);
    const rows = rowsOf(file, now);
    const before = [...sale].filter(([, { departs }]) => departs >= tomorrow);
    const was = measureOf(
      before.map(([, { price }]) => price),
      now,
    );
    const is = measureOf(
      [...rows.values()].map(({ price }) => price),
      now,
    );
    const both = before.filter(([hotel]) => rows.has(hotel));
    const falls = both
      .filter(([, one]) => checkedSince(one, file, now) === null)
      .map(([hotel, { price }]) => ((price - (rows.get(hotel)?.price ?? 0)) * 100) / price);
    const moved = falls.filter((percent) => Math.abs(percent) > 30);
    const fallen = falls.filter((percent) => percent > 40);
    // Quarantined packages that stay so count too.
    const offSale = [...rows].filter(
      ([hotel, { price }]) =>
        !sale.has(hotel) && quarantine.has(hotel) && !judged(file, hotel, price).isOnSale,
    ).length;
    const recent = measures.filter(({ at }) => at > now - LATELY_MS);
    const most = Math.max(0, ...recent.map(({ packages }) => packages));
    const middle = medianOf(recent.flatMap(({ median }) => median ?? []));
    const isFewer = (than: number) => (than - is.packages) * 100 > than * 30;
    const isMoved = (from: number | null) =>
      from !== null && is.median !== null && Math.abs(is.median - from) * 100 > from * 40;
    const refused = newRows(file).filter((row) => isRefused(row) || row.departs < tomorrow).length;
    const share = is.median === null || was.packages + recent.length > 0 ? 1 : is.median / SAMPLE_PRICE;
    return [
      share < 0.5 || share > 2.5 ? `a first feed costs ${share} of the sample` : '',
      refused * 100 > file.rows.length * 30 ? `${refused} rows are refused` : '',
      isFewer(was.packages) ? `fewer than ${was.packages}` : '',
      isFewer(most) ? `fewer than ${most} lately` : '',
      isMoved(was.median) ? `median was ${was.median}` : '',
      isMoved(middle) ? `median was ${middle} lately` : '',
      moved.length >= 10 && moved.length * 4 > both.length + offSale ? `${moved.length} prices moved` : '',
      fallen.length >= 10 && fallen.length * 5 > both.length + offSale
        ? `${fallen.length} prices fell far`
        : '',
      !file.isChanges && isOfChanges && file.last < sequence ? `older than change ${sequence}` : '',
    ].filter((reason) => reason !== '');
  }

  function apply(
    file: FeedFile,
    { startedAt: now, outcome, isAccepted, isRollback, isReapplied }: Attempt,
  ): void {
    // Accepting the last feed's quarantined prices applies it again.
    const isAgain = isAccepted && file.checksum === last?.checksum;
    const rows = rowsOf(file, now, isAgain ? Number.NEGATIVE_INFINITY : sequence);
    const previous = isRollback ? good.find((one) => one.file.checksum === file.checksum) : undefined;
    const isReleasing = isAccepted && !isReapplied && !(isRollback && (previous?.quarantined ?? 0) > 0);
    const next = new Map<string, OnSale>();
    let quarantined = 0;
    for (const [hotel, row] of rows) {
      const stored = sale.get(hotel);
      const { departs } = row;
      const checked = checkedSince(stored, file, now);
      const price = (checked ?? row).price;
      const { was, agreed, isOnSale } = judged(file, hotel, price);
      if (isReleasing || isOnSale) {
        quarantine.delete(hotel);
        next.set(hotel, {
          price,
          departs,
          madeAt: Math.max(file.madeAt, checked?.seenAt ?? 0, file.isChanges ? (stored?.madeAt ?? 0) : 0),
          seenAt: checked?.seenAt ?? 0,
          saidAt: checked?.saidAt ?? 0,
          checked: (stored?.checked?.at ?? 0) > now - RECORDED_MS ? stored?.checked : undefined,
        });
      } else {
        quarantined += 1;
        quarantine.set(hotel, agreed ?? { was, price, day: londonDay(file.madeAt) });
      }
    }
    sale = next;
    const tomorrow = londonDay(now + DAY_MS);
    quarantine = new Map(
      [...quarantine].filter(([hotel]) =>
        [...known.values()].some(({ rows: all }) =>
          all.some((row) => row.hotel === hotel && row.departs >= tomorrow),
        ),
      ),
    );
    const reasons = reasonsNow;
    if (reasons.length > 0) measures = [];
    measures = [
      ...measures,
      {
        ...measureOf(
          [...rows.values()].map(({ price }) => price),
          now,
        ),
      },
    ].filter(({ at }) => at > now - LATELY_MS);
    if (!file.isChanges)
      good = [{ file, quarantined }, ...good.filter((one) => one.file.checksum !== file.checksum)].slice(
        0,
        3,
      );
    sequence = file.isChanges ? Math.max(sequence, file.last) : Number.isFinite(file.last) ? file.last : -2;
    isOfChanges = file.isChanges;
    if (file.isChanges || file.last >= Number(gap?.missing)) gap?.closedBy.add(file.checksum);
    imported.add(file.checksum);
    // Imported changes leave a held full feed for review.
    if (outcome === 'imported' && (held?.isChanges || !file.isChanges)) held = null;
    last = file;
  }

  let reasonsNow: string[] = [];

  return {
    code,
    sale: () => sale,
    held: () => held,
    last: () => last,
    stampedAt: () => stampedAt,
    seenAt: () => seenAt,
    readAt: () => readAt,
    reviewedAt: () => reviewedAt,
    areChangesMissing: () => gap?.closedBy.size === 0,
    isRejected: (file: FeedFile) => rejected.has(file.checksum),
    /** When good attempts began, in ms since 1970, and whether one has failed since. */
    state: () => ({ goodAt, wholeAt, hasFailed: hasWholeFailed || haveChangesFailed }),
    discard(): void {
      if (held !== null) rejected.add(held.checksum);
      held = null;
    },
    /** Follows an attempt that has ended. `excuse`: why it may have failed; null: it had to succeed. */
    ended(attempt: Attempt, { served, excuse }: { served: FeedFile | null; excuse: string | null }): void {
      const { outcome, checksum, startedAt, isAccepted, isRollback } = attempt;
      noteState(attempt);
      const recorded = checksum === null ? undefined : known.get(checksum);
      if (recorded !== undefined) recorded.isRecorded = true;
      if (outcome === 'failed') {
        if (attempt.isGap && (served?.first ?? 0) <= sequence + 1)
          wrong(`says that changes after ${sequence} are missing, and got ${served?.first}`);
        if (excuse === null) wrong(`an import failed without a reason: ${attempt.message}`);
        return;
      }
      if (outcome === 'imported' || outcome === 'unchanged')
        stampedAt = Math.max(stampedAt, served?.stampedAt ?? 0);
      if (outcome === 'withdrawn' || outcome === 'removed') {
        if (!attempt.isUnlisted && triesSinceSeen < 5 && !(triesSinceSeen > 0 && wasRefused))
          wrong(`withdrawn after only ${triesSinceSeen} attempts to fetch its feed`);
        sale = new Map();
        seenAt = null;
        sequence = -2;
        isOfChanges = false;
        return;
      }
      if (outcome === 'discarded' || outcome === 'skipped') {
        const file = served ?? held;
        if (outcome === 'skipped' && held === null) wrong('skipped a feed that is not held');
        if (outcome === 'discarded' && file !== null && !rejected.has(file.checksum))
          wrong('discarded a feed that nobody rejected');
        return;
      }
      if (outcome === 'unchanged' && held !== null && (checksum ?? served?.checksum) === held.checksum)
        wrong('calls a held feed unchanged');
      if (outcome === 'unchanged' && checksum === null) {
        seenAt = startedAt;
        return;
      }
      const file = fileOf(checksum);
      if (outcome === 'held') {
        if (reasonsToHold(file, startedAt).length === 0)
          wrong(`held a feed without a reason: ${attempt.message}`);
        held = file;
        return;
      }
      if (outcome === 'unchanged' && attempt.message !== '') {
        seenAt = startedAt;
        return;
      }
      if (!isAccepted && rejected.has(file.checksum)) wrong('imported a feed that was rejected');
      reasonsNow = reasonsToHold(file, startedAt);
      if (!isAccepted && reasonsNow.length > 0)
        wrong(`imported a feed that is to be held: ${reasonsNow.join(', ')}`);
      if (file.isUnusable) wrong('imported a feed that cannot be read');
      if (isRollback && good[0] !== undefined) {
        rejected.add(good[0].file.checksum);
        gap?.closedBy.delete(good[0].file.checksum);
      }
      seenAt = startedAt;
      apply(file, attempt);
    },
  };
}

/** No package for two costs so little. */
function isRefused({ price, isDeleted }: Row): boolean {
  return isDeleted !== true && price < LEAST_PRICE;
}

function measureOf(prices: number[], at: number): Measure {
  return { at, packages: prices.length, median: medianOf(prices) };
}

/** The lower of two middle ones. */
function medianOf(prices: readonly number[]): number | null {
  const sorted = prices.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
