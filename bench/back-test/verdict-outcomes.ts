import { readFileSync } from 'node:fs';
import { parseAirports } from '../../domain/airport.ts';
import type { Pence } from '../../domain/money.ts';
import { judgePrice, type PriceEstimate, type PriceVerdict } from '../../domain/price-verdict.ts';
import { airportNeighbours } from '../../server/inventory/airport-neighbours.ts';
import { BOARD_CLASSES } from '../../server/price-history/board-classes.ts';
import { holidayName } from '../../server/price-history/model/price-traits.ts';
import { sampleMarket } from '../../server/sample/sample-market.ts';
import { dailyPricesOf, type PanelPackage } from './market-panel.ts';

/** A package's verdict and what became of its price. */
export interface VerdictOutcome {
  kind: 'low' | 'typical' | 'high' | 'check-price' | 'few-comparables';
  isHoliday: boolean;
  /** The price a fortnight later relative to the judged one: 0.1 is 10% dearer. */
  change: number;
}

const LATER_DAYS = 14;
const WINDOW_DAYS = 7;
const HISTORY_DAYS = 90;
const STALE_AFTER_DAYS = 3;

/** Judges packages as the product does, on `day`, and looks at their prices a fortnight later. */
export function verdictOutcomes(
  tried: readonly PanelPackage[],
  known: readonly PanelPackage[],
  expectedOf: (one: PanelPackage) => PriceEstimate,
  day: number,
  seed: number,
): VerdictOutcome[] {
  const comparablesOf = panelComparables(known, day, seed);
  return tried.map((one) => {
    const price = one.priceOn(day);
    const verdict = judgePrice({
      price,
      daysSinceSeen: 0,
      staleAfterDays: STALE_AFTER_DAYS,
      ownPrices: dailyPricesOf(one, day - HISTORY_DAYS, day).map((daily) => daily.price),
      comparables: comparablesOf(one),
      expected: expectedOf(one),
    });
    return {
      kind: kindOf(verdict),
      isHoliday: holidayName(one.priced.departureDay, one.priced.nation) !== '',
      change: one.priceOn(day + LATER_DAYS) / price - 1,
    };
  });
}

function kindOf(verdict: PriceVerdict): VerdictOutcome['kind'] {
  if (verdict.kind === 'verdict') return verdict.level;
  return verdict.kind === 'check-price' ? 'check-price' : 'few-comparables';
}

/** The product's rule of comparable packages, by a scan of the panel. */
function panelComparables(
  panel: readonly PanelPackage[],
  day: number,
  seed: number,
): (one: PanelPackage) => { prices: Pence[]; hotels: number } {
  const { reference } = sampleMarket(seed);
  const airportCodes = new Map(reference.airports.map(({ id, code }) => [id, code]));
  const boardCodes = new Map(reference.boards.map(({ id, code }) => [id, code]));
  const neighbours = airportNeighbours(parseAirports(readFileSync('assets/departure-airports.csv', 'utf8')));
  const classOf = (board: number) => {
    const code = boardCodes.get(board) ?? '';
    return BOARD_CLASSES.findIndex((codes) => codes.includes(code));
  };
  const byPlace = Map.groupBy(panel, ({ priced }) => placeName(priced));
  return (one) => {
    const { priced } = one;
    const near = neighbours(airportCodes.get(priced.airport) ?? '');
    const holiday = holidayName(priced.departureDay, priced.nation);
    const like = (byPlace.get(placeName(priced)) ?? []).filter(
      ({ priced: other }) =>
        other.hotel !== priced.hotel &&
        Math.abs(other.departureDay - priced.departureDay) <= WINDOW_DAYS &&
        other.departureDay >= day &&
        Math.abs(other.halfStars - priced.halfStars) <= 1 &&
        classOf(other.board) === classOf(priced.board) &&
        near.has(airportCodes.get(other.airport) ?? '') &&
        holidayName(other.departureDay, priced.nation) === holiday,
    );
    const inResort = like.filter(({ priced: other }) => other.resort === priced.resort);
    const found = inResort.length >= 7 && hotelsOf(inResort) >= 3 ? inResort : like;
    return { prices: found.map((other) => other.priceOn(day)), hotels: hotelsOf(found) };
  };
}

function hotelsOf(packages: readonly PanelPackage[]): number {
  return new Set(packages.map(({ priced }) => priced.hotel)).size;
}

function placeName({ country, region, nights, party }: PanelPackage['priced']): string {
  return `${country}/${region}/${nights}/${party}`;
}
