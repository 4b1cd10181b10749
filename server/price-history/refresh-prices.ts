import { monthOfDay } from '../../domain/month.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { IS_OFFER, KEY_COLUMNS, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { indexCollector } from './index-collector.ts';
import { type DropExample, dropExamples, fitDropModel } from './model/drop-chance.ts';
import { DROP_DAYS } from './model/drop-features.ts';
import { fitHedonicModel, type PricedExample } from './model/hedonic-model.ts';
import { writePriceModels } from './model/model-table.ts';
import { reservoir } from './model/reservoir.ts';
import { packageHistoryReader } from './package-history.ts';
import { writePriceIndex } from './price-index.ts';

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

/** What the walk reads of an offer: its key, its price and its half stars. Every column more costs seconds. */
type WalkedOffer = [
  departureDay: number,
  nights: number,
  party: number,
  country: number,
  region: number,
  resort: number,
  airport: number,
  hotel: number,
  board: number,
  room: number,
  provider: number,
  price: number,
  halfStars: number,
];

export interface RefreshReport {
  version: number;
  packages: number;
}

/**
 * One walk over all offers: the daily index, a new version of the price models, and the end of what is past its
 * keeping. Takes seconds on millions of offers, so it belongs in a thread of its own. `today` in days since
 * 1970-01-01.
 */
export function refreshPrices(database: SqlDatabase, today: number): RefreshReport {
  const index = indexCollector();
  const sample = reservoir<WalkedOffer>(MOST_EXAMPLES);
  let packages = 0;
  const walk = database.prepare(`select ${KEY_COLUMNS.join(', ')}, price, half_stars from offer`);
  for (const row of walk.iterate()) {
    const offer = row as unknown as WalkedOffer;
    index.add(
      offer[OFFER.departureDay],
      offer[OFFER.nights],
      offer[OFFER.resort],
      offer[OFFER.hotel],
      offer[OFFER.priceBefore],
      offer[OFFER.price],
    );
    sample.add(offer);
    packages += 1;
  }
  writePriceIndex(database, index.groups(), today);
  const version = writePriceModels(database, {
    trainedDay: today,
    hedonic: fitHedonicModel(sample.taken().map((offer) => pricedExample(offer, today))),
    drop: fitDropModel(pastMoments(database, sample.taken().slice(0, MOST_PASTS), today), DROP_DAYS),
  });
  removeWhatIsPast(database, today);
  return { version, packages };
}

function pricedExample(offer: WalkedOffer, today: number): PricedExample {
  const [departureDay, nights, , , region, resort, airport, , board, room, provider, price, halfStars] =
    offer;
  const priced = { departureDay, nights, region, resort, airport, board, room, provider, halfStars };
  return { priced, pricedDay: today, price };
}

function pastMoments(database: SqlDatabase, offers: readonly WalkedOffer[], today: number): DropExample[] {
  const historyOf = packageHistoryReader(database);
  const find = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`);
  return offers.flatMap((walked, nth) => {
    const offer = find.row(...walked.slice(0, KEY_COLUMNS.length)) as unknown as OfferRow | undefined;
    if (offer === undefined) return [];
    // Pasts end on different days, so that every day of the week and of the window is learned from.
    const daily = historyOf(offer, today).daily;
    const shortened = daily.slice(0, daily.length - (nth % PAST_STRIDE));
    return dropExamples({ departureDay: offer[OFFER.departureDay], daily: shortened }, PAST_STRIDE);
  });
}

function removeWhatIsPast(database: SqlDatabase, today: number): void {
  inTransaction(database, () => {
    database.prepare('delete from offer where departure_day < ?').run(today);
    const departed = today - KEPT_AFTER_DEPARTURE;
    database.prepare('delete from price_observation where departure_day < ?').run(departed);
    database.prepare('delete from price_index where departure_month < ?').run(monthOfDay(departed));
    database.prepare('delete from price_path where departure_month < ?').run(monthOfDay(today));
    database.prepare('delete from site_visit where visited_at < ?').run((today - KEPT_VISITS) * 1440);
  });
}
