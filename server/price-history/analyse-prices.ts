import { dayNumber, fromDayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import type { DailyPrice } from '../../domain/daily-prices.ts';
import type { Pence } from '../../domain/money.ts';
import { judgePrice, type PriceVerdict } from '../../domain/price-verdict.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import { type Catalogue, type CodedCatalogue, recordOf } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { type Comparables, comparablesFinder } from './comparables.ts';
import { type HistoryPoints, historyPoints } from './history-points.ts';
import { dropChance } from './model/drop-chance.ts';
import { expectedPrice } from './model/hedonic-model.ts';
import { type PriceModels, readPriceModels } from './model/model-table.ts';
import { type PriceReason, priceReasons } from './model/price-reasons.ts';
import { pricedPackageOf } from './model/price-traits.ts';
import { HISTORY_DAYS, packageHistoryReader } from './package-history.ts';

/** The points of a history that a sparkline shows. */
const MOST_POINTS = 30;

const MOST_REASONS = 2;

const MOST_HALF_STARS = 10;

/** All that is known of one package's price. Money in pence. */
export interface PriceAnalysis {
  itemKey: string;
  price: Pence;
  /** The instant, in minutes since the epoch, at which the store last saw this price. */
  seenAt: number;
  verdict: PriceVerdict;
  /** Null with the verdict: a word too early is worse than none. */
  evidence: PriceEvidence | null;
}

export interface PriceEvidence {
  /** The window of the package's own prices, first and last day known. */
  from: DailyPrice;
  history: HistoryPoints;
  /** Of the rolling year. */
  windowDays: number;
  /** True where part of the history is the sample market's invention. */
  sample: boolean;
  comparedWith: string;
  expected: { price: Pence; low: Pence; high: Pence; reasons: PriceReason[]; version: number } | null;
  drop: { chance: number; baseRate: number } | null;
}

/**
 * Analyses the packages that these keys name, in the keys' order; a key that names nothing on sale is left
 * out. Reads only. A batch is a few milliseconds a resort, so it belongs in a thread of its own.
 */
export function analysePrices(
  database: SqlDatabase,
  catalogue: CodedCatalogue,
  neighbours: AirportNeighbours,
  itemKeys: readonly string[],
  nowMs: number,
): PriceAnalysis[] {
  const comparablesOf = comparablesFinder(database, catalogue, neighbours);
  const historyOf = packageHistoryReader(database);
  const models = readPriceModels(database);
  const now = Math.floor(nowMs / 60_000);
  const find = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`);

  return itemKeys.flatMap((itemKey) => {
    const key = parseItemKey(itemKey, catalogue);
    const offer = key && (find.row(...key) as unknown as OfferRow | undefined);
    if (!offer || offer[18] <= now) return [];
    const history = historyOf(offer, Math.floor(now / 1440));
    const comparables = comparablesOf(offer, now);
    const verdict = judgePrice({
      price: offer[11],
      ownPrices: history.daily.map(({ price }) => price),
      comparablePrices: comparables.prices,
    });
    const points = historyPoints(history.daily, MOST_POINTS);
    const [from] = history.daily;
    const evidence: PriceEvidence | null =
      verdict.kind !== 'verdict' || points === null || from === undefined
        ? null
        : {
            from,
            history: points,
            windowDays: HISTORY_DAYS,
            sample: history.sample,
            comparedWith: comparedWith(offer, comparables, catalogue),
            expected: expectation(models, offer, dayNumber(todayInLondon(nowMs)), catalogue),
            drop: chance(models, { departureDay: offer[0], daily: history.daily }),
          };
    return [{ itemKey, price: offer[11], seenAt: offer[19], verdict, evidence }];
  });
}

function expectation(
  models: PriceModels | null,
  offer: OfferRow,
  today: number,
  catalogue: Catalogue,
): PriceEvidence['expected'] {
  if (models === null || models.hedonic === null) return null;
  const priced = pricedPackageOf(offer);
  return {
    ...expectedPrice(models.hedonic, priced, today),
    reasons: priceReasons(models.hedonic, priced, today, catalogue).slice(0, MOST_REASONS),
    version: models.version,
  };
}

function chance(
  models: PriceModels | null,
  past: { departureDay: number; daily: readonly DailyPrice[] },
): PriceEvidence['drop'] {
  if (models === null || models.drop === null) return null;
  const known = dropChance(models.drop, past);
  return known === null ? null : { chance: known, baseRate: models.drop.baseRate };
}

/** What the comparable packages have in common, in words. */
function comparedWith(offer: OfferRow, { within }: Comparables, catalogue: Catalogue): string {
  const [day, nights, , , region, resort, airport] = offer;
  const place =
    within === 'resort' ? recordOf(catalogue.resorts, resort).name : recordOf(catalogue.regions, region).name;
  const month = MONTH.format(Date.parse(fromDayNumber(day)));
  const stars = [offer[13] - 1, Math.min(MOST_HALF_STARS, offer[13] + 1)]
    .map((halfStars) => halfStars / 2)
    .join(' to ');
  const from = recordOf(catalogue.airports, airport).name;
  return `${place}, departing in ${month}, ${nights} nights, ${stars} stars, like board, from ${from} or near it`;
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
