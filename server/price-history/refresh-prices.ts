import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../storage/in-transaction.ts';
import type { OfferRow } from '../storage/inventory.ts';
import { OFFER_COLUMNS } from '../storage/offer-columns.ts';
import { monthOfDay } from './departure-month.ts';
import { type DropExample, dropExamples, fitDropModel } from './drop-chance.ts';
import { DROP_DAYS } from './drop-features.ts';
import { fitHedonicModel, type PricedExample } from './hedonic-model.ts';
import { writePriceModels } from './model-table.ts';
import { packageHistoryReader } from './package-history.ts';
import { indexCollector, writePriceIndex } from './price-index.ts';
import { pricedPackageOf } from './priced-package.ts';

/** A model learns no more from more. */
const MOST_EXAMPLES = 60_000;

/** Packages whose past the chance of a drop is learned from. */
const MOST_PASTS = 3_000;

/** Moments of one past lie so many days apart: neighbours say the same. */
const PAST_STRIDE = 5;

/** How long observations are kept after a departure, in days: long enough for next year to be compared. */
const KEPT_AFTER_DEPARTURE = 400;

/** How long click-throughs are kept, in days. */
const KEPT_VISITS = 180;

export interface RefreshReport {
  version: number;
  packages: number;
}

/**
 * One walk over all offers: the daily index, a new version of the price models, and the end of what is past its
 * keeping. Takes seconds on millions of offers, so it belongs in a thread of its own. `today` in days since
 * 1970-01-01.
 */
export function refreshPrices(database: DatabaseSync, today: number): RefreshReport {
  const index = indexCollector();
  const sample = reservoir<OfferRow>(MOST_EXAMPLES);
  let packages = 0;
  const walk = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer`);
  walk.setReturnArrays(true);
  for (const row of walk.iterate()) {
    const offer = row as unknown as OfferRow;
    index.add(offer[5], monthOfDay(offer[0]), offer[1], offer[13], offer[7], offer[11]);
    sample.add(offer);
    packages += 1;
  }
  writePriceIndex(database, index.groups(), today);
  const offers = sample.taken();
  const version = writePriceModels(database, {
    trainedDay: today,
    hedonic: fitHedonicModel(
      offers.map(
        (offer): PricedExample => ({
          priced: pricedPackageOf(offer),
          pricedDay: today,
          price: offer[11],
        }),
      ),
    ),
    drop: fitDropModel(pastMoments(database, offers.slice(0, MOST_PASTS), today), DROP_DAYS),
  });
  removeWhatIsPast(database, today);
  return { version, packages };
}

function pastMoments(database: DatabaseSync, offers: readonly OfferRow[], today: number): DropExample[] {
  const historyOf = packageHistoryReader(database);
  return offers.flatMap((offer, nth) => {
    // Pasts end on different days, so that every day of the week and of the window is learned from.
    const daily = historyOf(offer, today).daily.slice(0, -(nth % PAST_STRIDE) || undefined);
    return dropExamples({ departureDay: offer[0], daily }, PAST_STRIDE);
  });
}

function removeWhatIsPast(database: DatabaseSync, today: number): void {
  inTransaction(database, () => {
    const departed = today - KEPT_AFTER_DEPARTURE;
    database.prepare('delete from price_observation where departure_day < ?').run(departed);
    database.prepare('delete from price_index where departure_month < ?').run(monthOfDay(departed));
    database.prepare('delete from price_path where departure_month < ?').run(monthOfDay(today));
    database.prepare('delete from site_visit where visited_at < ?').run((today - KEPT_VISITS) * 1440);
  });
}

/** Takes `most` of however many are offered, each with the same chance, in no order; the same for the same ones. */
function reservoir<T>(most: number): { add(one: T): void; taken(): T[] } {
  const kept: T[] = [];
  let seen = 0;
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    add(one) {
      seen += 1;
      const place = Math.floor(random() * seen);
      if (kept.length < most) {
        // The first ones are shuffled as they come: a fit holds back every fifth, which must be a fair one.
        kept.push(kept[place] ?? one);
        kept[place] = one;
      } else if (place < most) kept[place] = one;
    },
    taken: () => kept,
  };
}
