import type { Pence } from '../../../domain/money.ts';

/** Limits in percent, which a provider's `guardrails` may replace. */
const LIMITS = {
  /** How many fewer packages than in the store, or than in the largest feed of the last seven days. */
  fewerPackages: 30,
  /** How far the median price may move from the store's, or from the middle one of the last seven days. */
  medianMove: 40,
  rowsRefused: 30,
  /** The share of packages whose price moved by more than `priceMove`. */
  pricesMoved: 25,
  priceMove: 30,
};

export type GuardrailLimits = { [L in keyof typeof LIMITS]?: number | undefined };

/** A country with fewer packages than this is not judged. */
const MIN_SAMPLE = 100;

/** A feed with fewer moved prices is never held for them. */
const MIN_MOVED = 10;

/** A country may lose this much more than the whole feed, in percent. */
const MAX_COUNTRY_LOSS = 50;

/** In percent: how many prices may fall, by how much. */
const MAX_FALLEN = 20;
export const MAX_FALL = 40;

export interface MeasuredImport {
  /** The provider's packages in the store. */
  before: FeedMeasure;
  after: FeedMeasure;
  rows: number;
  refused: number;
  moved: number;
  /** Prices that fell by more than `MAX_FALL`. */
  fallen: number;
  /** Packages of the feed that are also in the store. */
  known: number;
  /** Good feeds from the last seven days, since an operator last accepted one. */
  lately: readonly PriceMeasure[];
}

export function limitsOf(own: GuardrailLimits): typeof LIMITS {
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...LIMITS, ...(Object.fromEntries(given) as Partial<typeof LIMITS>) };
}

/** Why an import is held until an operator accepts it; usually empty. */
export function reasonsToHold(measured: MeasuredImport, own: GuardrailLimits = {}): string[] {
  const limits = limitsOf(own);
  const { before, after, rows, refused, moved, fallen, known, lately } = measured;
  const reasons = [
    fewer(before, after, limits.fewerPackages, ''),
    movedMedian(before.median, after.median, limits.medianMove, ''),
    isMore(refused, limits.rowsRefused, rows)
      ? `${percent(refused, rows)} of rows refused: ${refused} of ${rows}`
      : null,
    moved >= MIN_MOVED && isMore(moved, limits.pricesMoved, known)
      ? `${percent(moved, known)} of prices moved by more than ${limits.priceMove}%: ${moved} of ${known}`
      : null,
    fallen >= MIN_MOVED && isMore(fallen, MAX_FALLEN, known)
      ? `${percent(fallen, known)} of prices fell by more than ${MAX_FALL}%: ${fallen} of ${known}`
      : null,
    ...againstLately(lately, after, limits),
  ].filter((reason) => reason !== null);
  return reasons.length > 0 ? reasons : byCountry(before, after, limits.medianMove);
}

function fewer(before: PriceMeasure, after: PriceMeasure, limit: number, since: string): string | null {
  const lost = before.packages - after.packages;
  if (!isMore(lost, limit, before.packages)) return null;
  return `${percent(lost, before.packages)} fewer packages: ${after.packages}, was ${before.packages}${since}`;
}

function movedMedian(was: Pence | null, is: Pence | null, limit: number, since: string): string | null {
  if (was === null || is === null || !isMore(Math.abs(is - was), limit, was)) return null;
  const way = is > was ? 'up' : 'down';
  return `median price ${way} ${percent(Math.abs(is - was), was)}: ${poundsOf(is)}, was ${poundsOf(was)}${since}`;
}

/** Compares with the last seven days, because several imports may each shrink or reprice a feed a little. */
function againstLately(
  lately: readonly PriceMeasure[],
  after: PriceMeasure,
  { fewerPackages, medianMove }: typeof LIMITS,
): (string | null)[] {
  const most = lately.toSorted((one, other) => other.packages - one.packages)[0];
  if (most === undefined) return [];
  const medians = lately.flatMap(({ median }) => median ?? []).toSorted((one, other) => one - other);
  const middle = medians[Math.floor((medians.length - 1) / 2)] ?? null;
  const since = ' within seven days';
  return [fewer(most, after, fewerPackages, since), movedMedian(middle, after.median, medianMove, since)];
}

function byCountry(before: FeedMeasure, after: FeedMeasure, medianMove: number): string[] {
  return Object.entries(before.countries).flatMap(([country, was]) => {
    if (was.packages < MIN_SAMPLE) return [];
    const is = after.countries[country] ?? { packages: 0, median: null };
    const reason = fewer(was, is, MAX_COUNTRY_LOSS, '') ?? movedMedian(was.median, is.median, medianMove, '');
    return reason === null ? [] : [`${country}: ${reason}`];
  });
}

export function isMore(part: number, percentage: number, whole: number): boolean {
  return part * 100 > percentage * whole;
}

/** Rounds to a tenth, so that a value just above a limit does not read as the limit. */
export function percent(part: number, whole: number): string {
  return `${Math.round((part * 1_000) / whole) / 10}%`;
}

/** A number of packages and their median price in whole pounds, which is null without packages. */
export interface PriceMeasure {
  packages: number;
  median: Pence | null;
}

export interface FeedMeasure extends PriceMeasure {
  countries: Readonly<Record<string, PriceMeasure>>;
}

/** Counts prices, in total and by country. Pence are left out: few packages of a large feed have the same price. */
export function priceCounter() {
  const all = new Map<Pence, number>();
  const countries = new Map<number, Map<Pence, number>>();
  const note = (prices: Map<Pence, number>, price: Pence, count: number) => {
    const pounds = price - (price % 100);
    return prices.set(pounds, (prices.get(pounds) ?? 0) + count);
  };
  return {
    add(country: number, price: Pence, count = 1): void {
      note(all, price, count);
      countries.set(country, note(countries.get(country) ?? new Map(), price, count));
    },
    /** `nameOf`: the name of a country. */
    measure(nameOf: (country: number) => string): FeedMeasure {
      const entries = [...countries]
        .map(([country, prices]) => [nameOf(country), measureOf(prices)] as const)
        .filter(([, { packages }]) => packages > 0)
        .toSorted(([one], [other]) => (one < other ? -1 : 1));
      return { ...measureOf(all), countries: Object.fromEntries(entries) as FeedMeasure['countries'] };
    },
  };
}

/** The median is the lower of two middle prices. `counts` has how often each price occurs. */
function measureOf(counts: ReadonlyMap<Pence, number>): PriceMeasure {
  const packages = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const sorted = [...counts].toSorted(([one], [other]) => one - other);
  let before = Math.floor((packages - 1) / 2);
  const middle = sorted.find(([, count]) => {
    before -= count;
    return before < 0;
  });
  return { packages, median: middle?.[0] ?? null };
}

export function poundsOf(pence: Pence): string {
  return `£${(pence / 100).toFixed(2)}`;
}
