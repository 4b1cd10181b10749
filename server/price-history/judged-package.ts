import type { DailyPrice } from '../../domain/daily-prices.ts';
import { londonDay } from '../../domain/london-time.ts';
import { type LowestPrice, lowestOf } from '../../domain/lowest-price.ts';
import { CHANGE_DAYS } from '../../domain/price-change.ts';
import type { PriceJudgement } from '../../domain/price-verdict.ts';
import { nationOfAirport, type UkNation } from '../../domain/uk-nation.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import { type Catalogue, type CodedCatalogue, recordOf } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { type Offer, offerOf } from '../inventory/offer.ts';
import { IS_OFFER, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import type { SqlSession } from '../storage/sql-database.ts';
import { type Comparables, type ConvertParty, comparablesFinder } from './comparables.ts';
import { type HedonicModel, partyFactor } from './model/hedonic-model.ts';
import { readPriceModels } from './model/model-table.ts';
import { faresOf, pricedPackageOf } from './model/price-traits.ts';
import { packageHistoryReader } from './package-history.ts';
import { type PackageFacts, packageVerdict } from './package-verdict.ts';
import { waitAdvice } from './wait-advice.ts';

/** A package on sale with its verdict and the data behind it. Days count from 1970-01-01. */
export interface JudgedPackage extends PackageFacts {
  itemKey: string;
  offer: Offer;
  /** Its own prices over the last year. */
  daily: readonly DailyPrice[];
  /** True if some of `daily` are generated for the sample market. */
  sample: boolean;
  /** Null if no price was seen in the last 30 days. */
  lowest30: LowestPrice | null;
  comparables: Comparables;
  judgement: PriceJudgement;
  /** Null without a model. */
  modelVersion: number | null;
  /** Whether waiting a week has paid for such prices, as a sentence; null if the price record does not say. */
  advice: string | null;
}

/** What judging reads. A price older than `staleAfterDays` gets no verdict. */
export interface JudgeContext {
  database: SqlSession;
  catalogue: CodedCatalogue;
  neighbours: AirportNeighbours;
  staleAfterDays: number;
}

/**
 * Judges packages by ItemKey; null for a key without a package on sale. Reads only. Create one judge per
 * batch.
 */
export async function packageJudge(
  { database, catalogue, neighbours, staleAfterDays }: JudgeContext,
  nowMs: number,
): Promise<(itemKey: string) => Promise<JudgedPackage | null>> {
  const models = await readPriceModels(database);
  const model = models?.hedonic ?? null;
  const convert = model && partyConversion(model, catalogue);
  const comparablesOf = comparablesFinder(database, catalogue, neighbours, staleAfterDays, convert);
  const historyOf = packageHistoryReader(database, catalogue.charges.totalAt);
  const adviceOf = await waitAdvice(database);
  const now = Math.floor(nowMs / 60_000);
  const today = londonDay(now);
  const find = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`);

  return async (itemKey) => {
    const key = await parseItemKey(itemKey, catalogue);
    if (key === null) return null;
    database.cluster?.requireDays([key[OFFER.departureDay]]);
    const row = (await find.row(...key)) as unknown as OfferRow | undefined;
    const offer = row && offerOf(row);
    if (offer === undefined || offer.expiresAt <= now) return null;
    await catalogue.load([offer.row]);
    const { daily, sample } = await historyOf(offer.row, today);
    const facts: PackageFacts = {
      priced: pricedPackageOf(key, offer.halfStars, {
        nationOf: (airport) => nationOf(catalogue, airport),
        faresOf: (party) => faresOf(recordOf(catalogue.parties, party)),
      }),
      price: offer.total,
      today,
      daysSinceSeen: Math.floor((now - offer.seenAt) / 1440),
      staleAfterDays,
      ownPrices: daily.map((one) => one.price),
      totalAt: (amount) => catalogue.charges.totalAt(offer.row, amount),
    };
    return {
      ...facts,
      itemKey,
      offer,
      daily,
      sample,
      lowest30: lowestOf(daily.filter(({ day }) => day > today - CHANGE_DAYS)),
      comparables: await comparablesOf(offer, now),
      judgement: packageVerdict(facts, model),
      modelVersion: model && (models?.version ?? null),
      advice: adviceOf({ offer, daily, today }),
    };
  };
}

/** Converts prices between parties and rooms with the model's coefficients. */
function partyConversion(model: HedonicModel, catalogue: Catalogue): ConvertParty {
  const faresOfId = (party: number) => faresOf(recordOf(catalogue.parties, party));
  return (offer, { hotel, party, room }) => {
    const { nights, party: own } = offer;
    return partyFactor(
      model,
      { hotel, nights, party: own, room: offer.room, fares: faresOfId(own) },
      { hotel, nights, party, room, fares: faresOfId(party) },
    );
  };
}

/** The nation whose holidays apply to an airport. */
export function nationOf(catalogue: Catalogue, airport: number): UkNation {
  return nationOfAirport(recordOf(catalogue.airports, airport).code);
}
