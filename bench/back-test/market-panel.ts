import { fromDayNumber } from '../../domain/calendar-date.ts';
import type { DailyPrice } from '../../domain/daily-prices.ts';
import type { Pence } from '../../domain/money.ts';
import { firstDayOfMonth, monthOfDay } from '../../domain/month.ts';
import { nationOfAirport } from '../../domain/uk-nation.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { KEY_COLUMNS, OFFER, type OfferKey } from '../../server/inventory/offer-columns.ts';
import {
  faresOf,
  type PricedPackage,
  type PricedRecords,
  pricedPackageOf,
} from '../../server/price-history/model/price-traits.ts';
import { leadTimePrice } from '../../server/sample/market-price.ts';
import { offersOfDay } from '../../server/sample/offers-of-day.ts';
import { type SampleMarket, sampleMarket } from '../../server/sample/sample-market.ts';
import { seededRandom } from '../../server/sample/seeded-random.ts';
import { simulatePricePath } from '../../server/sample/simulate-price-path.ts';

/** A package of the panel, with its price on any day on which it is on sale. */
export interface PanelPackage {
  priced: PricedPackage;
  /** The first day on which it is no longer on sale. */
  goneOn: number;
  priceOn(day: number): Pence;
}

/** The panel contains every n-th region. */
const REGION_STRIDE = 4;

/** Any lead time works, because its effect is divided out. */
const PRICED_DAYS_AHEAD = 100;

const PATH_DAYS = 520;

/** Half of the packages sell out, at most this many days before they depart, most of them in the last weeks. */
const SOLD_OUT_DAYS = 120;

/** Packages of the sample market, with price history, that depart on these days. */
export function panelOf(seed: number, departures: readonly number[]): PanelPackage[] {
  const whole = sampleMarket(seed);
  const market: SampleMarket = {
    ...whole,
    destinations: whole.destinations.filter(({ region }) => region % REGION_STRIDE === seed % REGION_STRIDE),
  };
  const curves = new Map(market.destinations.map(({ resort, market: { curve } }) => [resort, curve]));
  const levels = pathLevels(seed, curves);
  const panel: PanelPackage[] = [];
  const codes = new Map(whole.reference.airports.map(({ id, code }) => [id, code]));
  const fares = new Map(whole.reference.parties.map((party) => [party.id, faresOf(party)]));
  const records: PricedRecords = {
    nationOf: (airport) => nationOfAirport(codes.get(airport) ?? ''),
    faresOf: (party) => fares.get(party) ?? 1,
  };
  for (const departure of departures) {
    for (const offer of offersOfDay(
      market,
      fromDayNumber(departure),
      fromDayNumber(departure - PRICED_DAYS_AHEAD),
      0,
    )) {
      const curve = curves.get(offer[OFFER.resort]);
      if (curve === undefined) continue;
      const worth = offer[OFFER.price] / leadTimePrice(curve, PRICED_DAYS_AHEAD);
      panel.push({
        priced: pricedPackageOf(
          offer.slice(0, KEY_COLUMNS.length) as unknown as OfferKey,
          offer[OFFER.halfStars],
          records,
        ),
        goneOn: departure - soldOutDaysAhead(seed, departure, panel.length),
        priceOn: (day) => Math.round((worth * Math.exp(levels(offer, day))) / 100) * 100,
      });
    }
  }
  return panel;
}

/** How many days before its departure a package sells out, whatever its price; 0 if it never does. */
function soldOutDaysAhead(seed: number, departure: number, nth: number): number {
  const share = seededRandom(seed, departure, nth, 31) * 2;
  return share >= 1 ? 0 : Math.floor(SOLD_OUT_DAYS * share ** 2);
}

/** A package's daily prices from `firstDay` to `lastDay`. */
export function dailyPricesOf({ priceOn }: PanelPackage, firstDay: number, lastDay: number): DailyPrice[] {
  return Array.from({ length: lastDay - firstDay + 1 }, (_, index) => ({
    day: firstDay + index,
    price: priceOn(firstDay + index),
  }));
}

/** A random sample of at most `size` items, always the same for one `seed` and `purpose`. */
export function randomSample<T>(all: readonly T[], size: number, seed: number, purpose: number): T[] {
  return all
    .map((one, index) => ({ one, order: seededRandom(seed, purpose, index) }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, size)
    .map(({ one }) => one);
}

function pathLevels(
  seed: number,
  curves: ReadonlyMap<number, Parameters<typeof leadTimePrice>[0]>,
): (offer: OfferRow, day: number) => number {
  const paths = new Map<number, number[]>();
  return ([departureDay, , , , , resort, , hotel], day) => {
    const month = monthOfDay(departureDay);
    const monthStart = firstDayOfMonth(month);
    const curve = curves.get(resort);
    if (curve === undefined) throw new Error(`Resort ${resort} has no market`);
    const name = hotel * 4096 + month;
    const path =
      paths.get(name) ??
      simulatePricePath(seed, { hotel, monthStart, curve }, monthStart - PATH_DAYS, monthStart + 31);
    paths.set(name, path);
    const level = path[day - (monthStart - PATH_DAYS)];
    if (level === undefined) throw new Error(`No price ${departureDay - day} days before departure`);
    return level;
  };
}
