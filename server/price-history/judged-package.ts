import type { DailyPrice } from '../../domain/daily-prices.ts';
import { londonDay } from '../../domain/london-time.ts';
import { type LowestPrice, lowestOf } from '../../domain/lowest-price.ts';
import { judgePrice, type PriceEstimate, type PriceVerdict } from '../../domain/price-verdict.ts';
import { nationOfAirport, type UkNation } from '../../domain/uk-nation.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import { type Catalogue, type CodedCatalogue, recordOf } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { totalPrice } from '../inventory/offer-charges.ts';
import { IS_OFFER, KEY_COLUMNS, OFFER, OFFER_COLUMNS, type OfferKey } from '../inventory/offer-columns.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { type Comparables, type ConvertParty, comparablesFinder } from './comparables.ts';
import { expectedPrice, type HedonicModel, partyFactor } from './model/hedonic-model.ts';
import { readPriceModels } from './model/model-table.ts';
import { type PriceReason, priceReasons } from './model/price-reasons.ts';
import { faresOf, pricedPackageOf } from './model/price-traits.ts';
import { packageHistoryReader } from './package-history.ts';
import { waitAdvice } from './wait-advice.ts';

const MAX_REASONS = 2;

/** The number of days whose lowest price is shown with the verdict. */
const LOWEST_PRICE_DAYS = 30;

export interface ExpectedWithReasons extends PriceEstimate {
  reasons: PriceReason[];
  version: number;
}

/** A package on sale with its verdict and the data behind it. Days count from 1970-01-01. */
export interface JudgedPackage {
  offer: OfferRow;
  today: number;
  /** Its own prices over the last year. */
  daily: readonly DailyPrice[];
  /** True if some of `daily` are generated for the sample market. */
  sample: boolean;
  /** Null if no price was seen in the last 30 days. */
  lowest30: LowestPrice | null;
  comparables: Comparables;
  expected: ExpectedWithReasons | null;
  verdict: PriceVerdict;
  /** Whether waiting a week has paid for such prices, as a sentence; null if the price record does not say. */
  advice: string | null;
}

/**
 * Judges packages by ItemKey; null for a key without a package on sale. A price older than `staleAfterDays`
 * gets no verdict. Reads only. Create one judge per batch.
 */
export async function packageJudge(
  database: SqlDatabase,
  catalogue: CodedCatalogue,
  neighbours: AirportNeighbours,
  staleAfterDays: number,
  nowMs: number,
): Promise<(itemKey: string) => Promise<JudgedPackage | null>> {
  const models = await readPriceModels(database);
  const convert = models?.hedonic ? partyConversion(models.hedonic, catalogue) : null;
  const comparablesOf = comparablesFinder(database, catalogue, neighbours, staleAfterDays, convert);
  const historyOf = packageHistoryReader(database, catalogue.charges.totalAt);
  const adviceOf = await waitAdvice(database);
  const now = Math.floor(nowMs / 60_000);
  const today = londonDay(now);
  const find = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`);

  function expectedOf(offer: OfferRow): ExpectedWithReasons | null {
    if (models === null || models.hedonic === null) return null;
    const key = offer.slice(0, KEY_COLUMNS.length) as unknown as OfferKey;
    const priced = pricedPackageOf(key, offer[OFFER.halfStars], {
      nationOf: (airport) => nationOf(catalogue, airport),
      faresOf: (party) => faresOf(recordOf(catalogue.parties, party)),
    });
    const { price, low, high } = expectedPrice(models.hedonic, priced, today);
    const totalAt = (amount: number) => catalogue.charges.totalAt(offer, Math.round(amount));
    return {
      price: totalAt(price),
      low: totalAt(low),
      high: totalAt(high),
      reasons: priceReasons(models.hedonic, priced, today, catalogue).slice(0, MAX_REASONS),
      version: models.version,
    };
  }

  return async (itemKey) => {
    const key = await parseItemKey(itemKey, catalogue);
    if (key === null) return null;
    database.cluster?.requireDays([key[OFFER.departureDay]]);
    const offer = (await find.row(...key)) as unknown as OfferRow | undefined;
    if (offer === undefined || offer[OFFER.expiresAt] <= now) return null;
    await catalogue.load([offer]);
    const { daily, sample } = await historyOf(offer, today);
    const comparables = await comparablesOf(offer, now);
    const expected = expectedOf(offer);
    const verdict = judgePrice({
      price: totalPrice(offer),
      daysSinceSeen: Math.floor((now - offer[OFFER.seenAt]) / 1440),
      staleAfterDays,
      ownPrices: daily.map((one) => one.price),
      comparables,
      expected,
    });
    const lowest30 = lowestOf(daily.filter(({ day }) => day > today - LOWEST_PRICE_DAYS));
    const advice = adviceOf({ offer, daily, today });
    return { offer, today, daily, sample, lowest30, comparables, expected, verdict, advice };
  };
}

/** Converts prices between parties and rooms with the model's coefficients. */
function partyConversion(model: HedonicModel, catalogue: Catalogue): ConvertParty {
  const faresOfId = (party: number) => faresOf(recordOf(catalogue.parties, party));
  return (offer, { hotel, party, room }) => {
    const nights = offer[OFFER.nights];
    const own = offer[OFFER.party];
    return partyFactor(
      model,
      { hotel, nights, party: own, room: offer[OFFER.room], fares: faresOfId(own) },
      { hotel, nights, party, room, fares: faresOfId(party) },
    );
  };
}

/** The nation whose holidays apply to an airport. */
export function nationOf(catalogue: Catalogue, airport: number): UkNation {
  return nationOfAirport(recordOf(catalogue.airports, airport).code);
}
