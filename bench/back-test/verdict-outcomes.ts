import { readFileSync } from 'node:fs';
import { parseAirports } from '../../domain/airport.ts';
import type { Pence } from '../../domain/money.ts';
import {
  judgePrice,
  MIN_HOTELS,
  MIN_PRICES,
  type PriceVerdict,
  type VerdictInput,
} from '../../domain/price-verdict.ts';
import { airportNeighbours } from '../../server/inventory/airport-neighbours.ts';
import { BOARD_CLASSES } from '../../server/price-history/board-classes.ts';
import {
  expectedPrice,
  type HedonicModel,
  partyFactor,
} from '../../server/price-history/model/hedonic-model.ts';
import { holidayName } from '../../server/price-history/model/price-traits.ts';
import { sampleMarket } from '../../server/sample/sample-market.ts';
import { dailyPricesOf, type PanelPackage } from './market-panel.ts';

/** A package's verdict, and what happened to its price. */
export interface VerdictOutcome {
  kind: 'low' | 'typical' | 'high' | 'check-price' | 'few-comparables';
  isHoliday: boolean;
  /** True if other parties' comparable packages were needed, with converted prices. */
  isConverted: boolean;
  /** The relative change a fortnight later: 0.1 means 10% dearer. */
  change: number;
}

const LATER_DAYS = 14;
const WINDOW_DAYS = 7;
const HISTORY_DAYS = 90;
const STALE_AFTER_DAYS = 3;

/** A package of the panel, with what the product uses for its verdict. */
export interface JudgedPackage {
  one: PanelPackage;
  input: VerdictInput;
  isConverted: boolean;
}

/** What the product would know about packages on `day`. Comparable packages are among `known`. */
export function verdictInputs(
  tried: readonly PanelPackage[],
  known: readonly PanelPackage[],
  model: HedonicModel,
  day: number,
  seed: number,
): JudgedPackage[] {
  const comparablesOf = panelComparables(known, model, day, seed);
  return tried.map((one) => {
    const { isConverted, ...comparables } = comparablesOf(one);
    const input: VerdictInput = {
      price: one.priceOn(day),
      daysSinceSeen: 0,
      staleAfterDays: STALE_AFTER_DAYS,
      ownPrices: dailyPricesOf(one, day - HISTORY_DAYS, day).map((daily) => daily.price),
      comparables,
      expected: expectedPrice(model, one.priced, day),
    };
    return { one, input, isConverted };
  });
}

/** Each package's verdict on `day`, with how its price changed in the following fortnight. */
export function verdictOutcomes(judged: readonly JudgedPackage[], day: number): VerdictOutcome[] {
  return judged.map(({ one, input, isConverted }) => ({
    kind: kindOf(judgePrice(input)),
    isConverted,
    isHoliday: holidayName(one.priced.departureDay, one.priced.nation) !== '',
    change: one.priceOn(day + LATER_DAYS) / input.price - 1,
  }));
}

function kindOf(verdict: PriceVerdict): VerdictOutcome['kind'] {
  if (verdict.kind === 'verdict') return verdict.level;
  return verdict.kind === 'check-price' ? 'check-price' : 'few-comparables';
}

/** Finds comparable packages by the product's rule, with a scan of the panel. */
function panelComparables(
  panel: readonly PanelPackage[],
  model: HedonicModel,
  day: number,
  seed: number,
): (one: PanelPackage) => { prices: Pence[]; hotels: number; isConverted: boolean } {
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
    const sameParty = like.filter(({ priced: other }) => other.party === priced.party);
    const found = nearest(sameParty, priced.resort);
    if (isEnough(found)) {
      return {
        prices: found.map((other) => other.priceOn(day)),
        hotels: hotelsOf(found),
        isConverted: false,
      };
    }
    const ofAnyParty = nearest(like, priced.resort);
    const { party, fares, room } = priced;
    const prices = ofAnyParty.flatMap(({ priced: other, priceOn }) => {
      if (other.party === party) return priceOn(day);
      const own = { party, fares, room, nights: other.nights, hotel: other.hotel };
      const factor = partyFactor(model, own, other);
      return factor === null ? [] : Math.round(priceOn(day) * factor);
    });
    return { prices, hotels: hotelsOf(ofAnyParty), isConverted: true };
  };
}

/** The packages in this resort or, if those are too few, all packages of `like`. */
function nearest(like: readonly PanelPackage[], resort: number): readonly PanelPackage[] {
  const inResort = like.filter(({ priced }) => priced.resort === resort);
  return isEnough(inResort) ? inResort : like;
}

function isEnough(packages: readonly PanelPackage[]): boolean {
  return packages.length >= MIN_PRICES && hotelsOf(packages) >= MIN_HOTELS;
}

function hotelsOf(packages: readonly PanelPackage[]): number {
  return new Set(packages.map(({ priced }) => priced.hotel)).size;
}

function placeName({ country, region, nights }: PanelPackage['priced']): string {
  return `${country}/${region}/${nights}`;
}
