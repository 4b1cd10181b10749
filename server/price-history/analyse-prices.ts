import { dayNumber, fromDayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import type { DailyPrice } from '../../domain/daily-prices.ts';
import type { Pence } from '../../domain/money.ts';
import { judgePrice, type PriceVerdict } from '../../domain/price-verdict.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import { type Catalogue, type CodedCatalogue, recordOf } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { type Comparables, comparablesFinder } from './comparables.ts';
import { type HistoryPoints, historyPoints } from './history-points.ts';
import { dropProbability } from './model/drop-model.ts';
import { expectedPrice } from './model/hedonic-model.ts';
import { type PriceModels, readPriceModels } from './model/model-table.ts';
import { type PriceReason, priceReasons } from './model/price-reasons.ts';
import { pricedPackageOf } from './model/price-traits.ts';
import { HISTORY_DAYS, packageHistoryReader } from './package-history.ts';

/** The most points of a history in an answer. */
const MAX_POINTS = 30;

const MAX_REASONS = 2;

const MAX_HALF_STARS = 10;

/** The analysis of one package's price. Money is in pence. */
export interface PriceAnalysis {
  itemKey: string;
  price: Pence;
  /** When the store last saw this price, in minutes since the epoch. */
  seenAt: number;
  verdict: PriceVerdict;
  /** Null without a verdict. */
  evidence: PriceEvidence | null;
}

export interface PriceEvidence {
  /** The first known day of the package's own prices. */
  from: DailyPrice;
  history: HistoryPoints;
  windowDays: number;
  /** True if part of the history is generated for the sample market. */
  sample: boolean;
  comparedWith: string;
  expected: { price: Pence; low: Pence; high: Pence; reasons: PriceReason[]; version: number } | null;
  drop: { chance: number; baseRate: number } | null;
}

/**
 * Analyses packages in the order of their keys; keys without a package on sale are skipped. Reads only. A batch takes a
 * few milliseconds per resort: run it in a worker thread.
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
    if (!offer || offer[OFFER.expiresAt] <= now) return [];
    const history = historyOf(offer, Math.floor(now / 1440));
    const comparables = comparablesOf(offer, now);
    const verdict = judgePrice({
      price: offer[OFFER.price],
      ownPrices: history.daily.map(({ price }) => price),
      comparablePrices: comparables.prices,
    });
    const points = historyPoints(history.daily, MAX_POINTS);
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
            expected: expectedPriceOf(models, offer, dayNumber(todayInLondon(nowMs)), catalogue),
            drop: dropEstimate(models, { departureDay: offer[OFFER.departureDay], daily: history.daily }),
          };
    return [{ itemKey, price: offer[OFFER.price], seenAt: offer[OFFER.seenAt], verdict, evidence }];
  });
}

function expectedPriceOf(
  models: PriceModels | null,
  offer: OfferRow,
  today: number,
  catalogue: Catalogue,
): PriceEvidence['expected'] {
  if (models === null || models.hedonic === null) return null;
  const priced = pricedPackageOf(offer);
  return {
    ...expectedPrice(models.hedonic, priced, today),
    reasons: priceReasons(models.hedonic, priced, today, catalogue).slice(0, MAX_REASONS),
    version: models.version,
  };
}

function dropEstimate(
  models: PriceModels | null,
  past: { departureDay: number; daily: readonly DailyPrice[] },
): PriceEvidence['drop'] {
  if (models === null || models.drop === null) return null;
  const known = dropProbability(models.drop, past);
  return known === null ? null : { chance: known, baseRate: models.drop.baseRate };
}

/** What the comparable packages have in common, in words. */
function comparedWith(offer: OfferRow, { within }: Comparables, catalogue: Catalogue): string {
  const [day, nights, , , region, resort, airport] = offer;
  const place =
    within === 'resort' ? recordOf(catalogue.resorts, resort).name : recordOf(catalogue.regions, region).name;
  const month = MONTH.format(Date.parse(fromDayNumber(day)));
  const stars = [offer[OFFER.halfStars] - 1, Math.min(MAX_HALF_STARS, offer[OFFER.halfStars] + 1)]
    .map((halfStars) => halfStars / 2)
    .join(' to ');
  const from = recordOf(catalogue.airports, airport).name;
  return `${place}, departing in ${month}, ${nights} nights, ${stars} stars, like board, from ${from} or near it`;
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
