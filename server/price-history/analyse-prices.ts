import { dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import type { DailyPrice } from '../../domain/daily-prices.ts';
import { type LowestPrice, lowestOf } from '../../domain/lowest-price.ts';
import type { Pence } from '../../domain/money.ts';
import { judgePrice, type PriceVerdict } from '../../domain/price-verdict.ts';
import { nationOfAirport } from '../../domain/uk-nation.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import { type Catalogue, type CodedCatalogue, recordOf } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER, KEY_COLUMNS, OFFER, OFFER_COLUMNS, type OfferKey } from '../inventory/offer-columns.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { type Comparables, comparablesFinder, type SharedCandidates } from './comparables.ts';
import { type HistoryPoints, historyPoints } from './history-points.ts';
import { expectedPrice } from './model/hedonic-model.ts';
import { type PriceModels, readPriceModels } from './model/model-table.ts';
import { type PriceReason, priceReasons } from './model/price-reasons.ts';
import { faresOf, holidayName, pricedPackageOf } from './model/price-traits.ts';
import { HISTORY_DAYS, packageHistoryReader } from './package-history.ts';
import { partyConversion } from './party-conversion.ts';

/** The most points of a history in an answer. */
const MAX_POINTS = 30;

const MAX_REASONS = 2;

const MAX_HALF_STARS = 10;

/** The days of the lowest price that is shown beside the verdict. */
export const LOWEST_DAYS = 30;

/** The analysis of one package's price. Money is in pence. */
export interface PriceAnalysis {
  itemKey: string;
  price: Pence;
  /** When the store last saw this price, in minutes since the epoch. */
  seenAt: number;
  /** The name of the school or bank holiday of the departure; null for none. */
  holiday: string | null;
  /** Null if no price was seen in the last 30 days. */
  lowest30: LowestPrice | null;
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
  expected: ExpectedWithReasons | null;
}

interface ExpectedWithReasons {
  price: Pence;
  low: Pence;
  high: Pence;
  reasons: PriceReason[];
  version: number;
}

export interface AnalysisSettings extends SharedCandidates {
  /** Days after which a price that was not seen again is too old for a verdict. */
  staleAfterDays: number;
}

/** What was analysed of a list of keys. */
export interface AnalysedKeys {
  analyses: PriceAnalysis[];
  /** How many of the keys are done, from the first. */
  done: number;
}

/**
 * Analyses packages in the order of their keys; keys without a package on sale are skipped. Reads only. A batch takes a
 * few milliseconds per resort: run it in a worker thread. After each key, it ends early if `isOver`.
 */
export function analysePrices(
  database: SqlDatabase,
  catalogue: CodedCatalogue,
  neighbours: AirportNeighbours,
  { staleAfterDays, ...shared }: AnalysisSettings,
  itemKeys: readonly string[],
  nowMs: number,
  isOver: () => boolean = () => false,
): AnalysedKeys {
  const models = readPriceModels(database);
  const comparablesOf = comparablesFinder(
    database,
    catalogue,
    neighbours,
    staleAfterDays,
    partyConversion(models, catalogue),
    undefined,
    shared,
  );
  const historyOf = packageHistoryReader(database);
  const now = Math.floor(nowMs / 60_000);
  const find = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`);

  const analysisOf = (itemKey: string): PriceAnalysis | null => {
    const key = parseItemKey(itemKey, catalogue);
    if (key !== null) database.requireDays([key[OFFER.departureDay]]);
    const offer = key && (find.row(...key) as unknown as OfferRow | undefined);
    if (!offer || offer[OFFER.expiresAt] <= now) return null;
    const today = Math.floor(now / 1440);
    const { daily, sample } = historyOf(offer, today);
    const comparables = comparablesOf(offer, now);
    const expected = expectedPriceOf(models, offer, dayNumber(todayInLondon(nowMs)), catalogue);
    const price = offer[OFFER.price];
    const seenAt = offer[OFFER.seenAt];
    const verdict = judgePrice({
      price,
      daysSinceSeen: Math.floor((now - seenAt) / 1440),
      staleAfterDays,
      ownPrices: daily.map((one) => one.price),
      comparables,
      expected,
    });
    const points = historyPoints(daily, MAX_POINTS);
    const [from] = daily;
    const evidence: PriceEvidence | null =
      verdict.kind !== 'verdict' || points === null || from === undefined
        ? null
        : {
            from,
            history: points,
            windowDays: HISTORY_DAYS,
            sample,
            comparedWith: comparedWith(offer, comparables, catalogue),
            expected,
          };
    return {
      itemKey,
      price,
      seenAt,
      holiday: holidayOf(offer, catalogue),
      lowest30: lowestOf(daily.filter(({ day }) => day > today - LOWEST_DAYS)),
      verdict,
      evidence,
    };
  };

  const analyses: PriceAnalysis[] = [];
  let done = 0;
  for (const itemKey of itemKeys) {
    const analysis = analysisOf(itemKey);
    if (analysis !== null) analyses.push(analysis);
    done += 1;
    if (isOver()) break;
  }
  return { analyses, done };
}

function holidayOf(offer: OfferRow, catalogue: Catalogue): string | null {
  const nation = nationOfAirport(recordOf(catalogue.airports, offer[OFFER.airport]).code);
  return holidayName(offer[OFFER.departureDay], nation) || null;
}

function expectedPriceOf(
  models: PriceModels | null,
  offer: OfferRow,
  today: number,
  catalogue: Catalogue,
): ExpectedWithReasons | null {
  if (models === null || models.hedonic === null) return null;
  const priced = pricedPackageOf(
    offer.slice(0, KEY_COLUMNS.length) as unknown as OfferKey,
    offer[OFFER.halfStars],
    {
      nationOf: (airport) => nationOfAirport(recordOf(catalogue.airports, airport).code),
      faresOf: (party) => faresOf(recordOf(catalogue.parties, party)),
    },
  );
  return {
    ...expectedPrice(models.hedonic, priced, today),
    reasons: priceReasons(models.hedonic, priced, today, catalogue).slice(0, MAX_REASONS),
    version: models.version,
  };
}

/** What the comparable packages have in common, in words. */
export function comparedWith(
  offer: OfferRow,
  { within, converted, firstDay, lastDay }: Comparables,
  catalogue: Catalogue,
): string {
  const [, nights, , , region, resort, airport] = offer;
  const place =
    within === 'resort' ? recordOf(catalogue.resorts, resort).name : recordOf(catalogue.regions, region).name;
  const holiday = holidayOf(offer, catalogue);
  const dates = `departing ${DAY.format(firstDay * MS_A_DAY)} to ${DAY_AND_YEAR.format(lastDay * MS_A_DAY)}`;
  const season = holiday === null ? '' : ` in the ${holiday}`;
  const stars = [offer[OFFER.halfStars] - 1, Math.min(MAX_HALF_STARS, offer[OFFER.halfStars] + 1)]
    .map((halfStars) => halfStars / 2)
    .join(' to ');
  const from = recordOf(catalogue.airports, airport).name;
  return `other hotels in ${place}, ${dates}${season}, ${nights} nights, ${stars} stars, like board, from ${from} or near it${convertedWords(converted)}`;
}

function convertedWords(converted: number): string {
  if (converted === 0) return '';
  return converted === 1
    ? '; one of them is for another party, and the model converted its price'
    : `; ${converted} of them are for other parties, and the model converted their prices`;
}

const MS_A_DAY = 86_400_000;
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const DAY_AND_YEAR = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
