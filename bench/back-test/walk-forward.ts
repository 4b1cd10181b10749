import { kindOf, type WaitOutcome } from '../../domain/book-or-wait.ts';
import { firstDayOfMonth } from '../../domain/month.ts';
import { ownMedianLevel, type PriceVerdict } from '../../domain/price-verdict.ts';
import { adaptedRates } from '../../server/price-history/model/adaptive-rates.ts';
import {
  fitHedonicModel,
  type HedonicModel,
  type PricedExample,
} from '../../server/price-history/model/hedonic-model.ts';
import { packageVerdict } from '../../server/price-history/package-verdict.ts';
import { seededRandom } from '../../server/sample/seeded-random.ts';
import { dailyPricesOf, type PanelPackage, panelOf, randomSample } from './market-panel.ts';
import { type BackTestMarket, inMarket } from './markets.ts';

/** A package as the product judged it on a day, and what happened to its price. */
export interface JudgedPrice {
  fold: number;
  hotel: number;
  country: number;
  /** Days from the verdict to the departure. */
  lead: number;
  /** Among the cheapest ten hotels of a search, or random. */
  isSeenFirst: boolean;
  verdict: PriceVerdict | 'none';
  /** The verdict by the package's own median alone. */
  ownRule: PriceVerdict | 'none';
  isInside: boolean;
  /** |expected - price| / price. */
  error: number;
  /** What waiting a week would have saved; null without an own median. */
  wait: WaitOutcome | null;
  /** The relative change a fortnight later, or on the eve of the departure; null: sold out before that. */
  change: number | null;
}

export const FIRST_FOLD_DAY = firstDayOfMonth(57 * 12 + 1);

/** Folds are spread over this many days. */
const YEAR_DAYS = 364;

/** Leads of the judged packages. Departures are on every fifth day, so on every weekday. */
const MIN_LEAD = 7;
const MAX_LEAD = 240;
const DEPARTURE_STEP = 5;

/** A fold trains a model on each of these days, as the product does. The last ones are judged. */
const WARM_UP_DAYS = 5;
const JUDGED_DAYS = 7;

const KNOWN_DAYS = 28;
const OWN_DAYS = 90;
const LATER_DAYS = 14;
const WAIT_DAYS = 7;

/** What it costs to wait for a package that sells out, as in the price record. */
const SOLD_OUT_SHARE = 0.1;
const STALE_AFTER_DAYS = 3;

/** Learned, held out for the rates, and judged on each day. */
const SAMPLE_SIZES = { train: 12_000, heldOut: 600, judged: 300 };

/** Searches of each judged day, and how many hotels of each are judged: the first page by price. */
const SEARCHES = 30;
const PAGE_SIZE = 10;

/** Walk-forward validation: each fold's models learn from the past, and are judged on the following days. */
export function walkForward(
  market: BackTestMarket,
  { seed, folds, onFold }: { seed: number; folds: number; onFold(done: number): void },
): JudgedPrice[] {
  return Array.from({ length: folds }, (_, fold) => {
    const judged = foldPrices(market, seed, fold, FIRST_FOLD_DAY + Math.floor((fold * YEAR_DAYS) / folds));
    onFold(fold + 1);
    return judged;
  }).flat();
}

function foldPrices(market: BackTestMarket, seed: number, fold: number, day: number): JudgedPrice[] {
  const last = day + JUDGED_DAYS;
  const departures = Array.from(
    { length: Math.floor((MAX_LEAD - MIN_LEAD - JUDGED_DAYS) / DEPARTURE_STEP) + 1 },
    (_, nth) => last + MIN_LEAD + nth * DEPARTURE_STEP,
  );
  const panel = inMarket(panelOf(seed, departures), market, seed, day);
  const { train, heldOut } = SAMPLE_SIZES;
  const shuffled = randomSample(panel, panel.length, seed, day);
  const learned = shuffled.slice(0, Math.floor(train / market.seenEvery));
  const unseen = shuffled.slice(train, train + heldOut);
  const others = shuffled.slice(train + heldOut);
  const judged: JudgedPrice[] = [];
  let model: HedonicModel | null = null;
  for (let today = day - WARM_UP_DAYS + 1; today <= last; today += 1) {
    const rates: ReturnType<typeof adaptedRates> | undefined =
      model === null ? undefined : adaptedRates(model, pricedOn(unseen, today - 1));
    model = fitHedonicModel(pricesBefore(today, learned, seed, market.seenEvery), rates);
    if (model === null) throw new Error('The panel is too small to train on');
    if (today <= day) continue;
    const onSale = others.filter(({ goneOn }) => goneOn > today);
    const random = randomSample(onSale, SAMPLE_SIZES.judged, seed, today);
    const seenFirst = firstPages(onSale, today, seed);
    for (const one of random) judged.push(judgedOn(today, one, model, { fold, market, isSeenFirst: false }));
    for (const one of seenFirst)
      judged.push(judgedOn(today, one, model, { fold, market, isSeenFirst: true }));
  }
  return judged;
}

/** One price per package from the days before `today`. */
function pricesBefore(
  today: number,
  learned: readonly PanelPackage[],
  seed: number,
  seenEvery: number,
): PricedExample[] {
  return learned.flatMap((one, index) => {
    const daysAgo = Math.floor(seededRandom(seed, index, today) * KNOWN_DAYS);
    return pricedOn([one], today - 1 - (daysAgo - (daysAgo % seenEvery)));
  });
}

function pricedOn(packages: readonly PanelPackage[], pricedDay: number): PricedExample[] {
  return packages
    .filter(({ goneOn }) => goneOn > pricedDay)
    .map(({ priced, priceOn }) => ({ priced, pricedDay, price: priceOn(pricedDay) }));
}

/** The first pages of random searches by country, departure day, nights, airport and party: one card per hotel. */
function firstPages(onSale: readonly PanelPackage[], today: number, seed: number): PanelPackage[] {
  const searches = Map.groupBy(onSale, ({ priced }) =>
    [priced.country, priced.departureDay, priced.nights, priced.airport, priced.party].join('/'),
  );
  const long = [...searches.values()].filter((found) => hotelsOf(found) > PAGE_SIZE);
  return randomSample(long, SEARCHES, seed, today + 1).flatMap((found) => {
    const sorted = found.toSorted((one, other) => one.priceOn(today) - other.priceOn(today));
    const cards = new Map<number, PanelPackage>();
    for (const one of sorted) if (!cards.has(one.priced.hotel)) cards.set(one.priced.hotel, one);
    return [...cards.values()].slice(0, PAGE_SIZE);
  });
}

function hotelsOf(packages: readonly PanelPackage[]): number {
  return new Set(packages.map(({ priced }) => priced.hotel)).size;
}

function judgedOn(
  today: number,
  one: PanelPackage,
  model: HedonicModel,
  { fold, market, isSeenFirst }: { fold: number; market: BackTestMarket; isSeenFirst: boolean },
): JudgedPrice {
  const { priced, priceOn, goneOn } = one;
  const price = priceOn(today);
  const own = dailyPricesOf(one, today - OWN_DAYS, today).filter(
    ({ day }) => (today - day) % market.seenEvery === 0,
  );
  const { verdict, band, expected, ownMedian } = packageVerdict(
    {
      priced,
      price,
      today,
      daysSinceSeen: 0,
      staleAfterDays: STALE_AFTER_DAYS,
      ownPrices: own.map((daily) => daily.price),
      totalAt: (amount) => amount,
    },
    model,
  );
  const daysToDeparture = priced.departureDay - today;
  const later = Math.min(today + LATER_DAYS, priced.departureDay - 1);
  const nextWeek = Math.min(today + WAIT_DAYS, priced.departureDay - 1);
  const since = own[own.findLastIndex((daily) => daily.price !== price) + 1]?.day ?? today;
  const situation =
    ownMedian === null ? null : { price, median: ownMedian, daysToDeparture, daysUnchanged: today - since };
  return {
    fold,
    hotel: priced.hotel,
    country: priced.country,
    lead: daysToDeparture,
    isSeenFirst,
    verdict: verdict ?? 'none',
    ownRule: ownMedian === null ? 'none' : ownMedianLevel(price, ownMedian),
    isInside: band !== null && band.low <= price && price <= band.high,
    error: Math.abs((expected ?? 0) - price) / price,
    wait: situation && {
      kind: kindOf(situation),
      hotel: String(priced.hotel),
      price,
      saved: goneOn <= nextWeek ? -Math.round(price * SOLD_OUT_SHARE) : price - priceOn(nextWeek),
    },
    change: goneOn <= later ? null : priceOn(later) / price - 1,
  };
}
