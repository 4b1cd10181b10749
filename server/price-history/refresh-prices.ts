import { dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { londonDay } from '../../domain/london-time.ts';
import { monthOfDay } from '../../domain/month.ts';
import { nationOfAirport } from '../../domain/uk-nation.ts';
import { FEEDS_NOTE } from '../inventory/inventory-notes.ts';
import { KEY_COLUMNS, type OfferKey } from '../inventory/offer-columns.ts';
import { removeOffersBefore } from '../inventory/tables/remove-offers.ts';
import { checkClock } from '../storage/clock-guard.ts';
import { readNote, removeNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase, SqlTransaction } from '../storage/sql-database.ts';
import { codeHashes } from './code-hashes.ts';
import { PRICE_RUNS } from './history-table.ts';
import { adaptedRates, MIN_UNSEEN } from './model/adaptive-rates.ts';
import { bottomKSample } from './model/bottom-k-sample.ts';
import { fitHedonicModel, type PricedExample } from './model/hedonic-model.ts';
import { readPriceModels, writePriceModels } from './model/model-table.ts';
import { faresOf, type PricedRecords, pricedPackageOf } from './model/price-traits.ts';

/** In the sample market, this gives as many examples per hotel and month as the back-test has. */
const MAX_EXAMPLES = 126_000;

/** One package in this many is never learned from: its prices show how many the range misses. */
const HELD_OUT_EVERY = 21;

/** Older prices do not describe the present market. */
const MAX_EXAMPLE_AGE_DAYS = 28;

/** How long observations are kept after departure, so that the next year can be compared with them. */
const OBSERVATIONS_KEPT_DAYS = 400;

/** For how many days click-throughs are kept. */
const VISITS_KEPT_DAYS = 180;

/** The columns to scan. Each additional one would cost seconds. */
type ScannedOffer = [...key: OfferKey, price: number, halfStars: number, seenAt: number];

/** The note with the value of `FEEDS_NOTE` at the start of the last refresh; missing if there were no feeds. */
const REFRESHED_FEEDS = 'prices.refreshed_feeds';

export interface RefreshReport {
  version: number;
  packages: number;
}

/**
 * Scans all offers once and writes a new version of the price model. Takes seconds for millions of offers, so
 * run it in a worker thread. The result does not depend on the order of offers, nor on record IDs, which
 * differ between stores. Packages that are left out teach the model nothing.
 */
export async function refreshPrices(
  database: SqlDatabase,
  today: number,
  isLeftOut: (key: OfferKey) => boolean = () => false,
): Promise<RefreshReport> {
  // Read before the packages: if an import ends during the scan, the next refresh includes it.
  const feeds = await readNote(database, FEEDS_NOTE);
  const sample = bottomKSample<ScannedOffer>(MAX_EXAMPLES, KEY_COLUMNS.length, await codeHashes(database));
  let packages = 0;
  const scan = database.prepare(`select ${KEY_COLUMNS.join(', ')}, price, half_stars, seen_at from offer`);
  for await (const row of scan.iterate()) {
    const offer = row as unknown as ScannedOffer;
    const seenAt = offer[13];
    if (seenAt >= (today - MAX_EXAMPLE_AGE_DAYS) * 1440) sample.add(offer);
    packages += 1;
  }
  const records = await pricedRecords(database);
  const examples = sample
    .sample()
    .filter((offer) => !isLeftOut(offer.slice(0, KEY_COLUMNS.length) as unknown as OfferKey))
    .map((offer) => pricedExample(offer, today, records));
  // The highest hashes, so that the same packages are held out each day.
  const heldOut = examples.splice(Math.ceil(examples.length * (1 - 1 / HELD_OUT_EVERY)));
  const last = await readPriceModels(database);
  const since = last?.adaptedDay ?? last?.trainedDay ?? today;
  const unseen = heldOut.filter(({ pricedDay }) => pricedDay > since);
  const version = await writePriceModels(database, {
    trainedDay: today,
    // The day's first training may be before its feeds.
    adaptedDay: last?.hedonic && unseen.length < MIN_UNSEEN ? since : today,
    hedonic: fitHedonicModel(examples, last?.hedonic ? adaptedRates(last.hedonic, unseen) : undefined),
  });
  if (feeds === null) await removeNote(database, REFRESHED_FEEDS);
  else await writeNote(database, REFRESHED_FEEDS, feeds);
  return { version, packages };
}

/**
 * Whether any server has trained today's models on the latest import. Models of an empty store no longer
 * count once it has packages.
 */
export async function isRefreshed(database: SqlDatabase, today: number): Promise<boolean> {
  const models = await readPriceModels(database);
  if (models?.trainedDay !== today) return false;
  if ((await readNote(database, REFRESHED_FEEDS)) !== (await readNote(database, FEEDS_NOTE))) return false;
  return (
    models.hedonic !== null || (await database.prepare('select 1 from offer limit 1').row()) === undefined
  );
}

function pricedExample(offer: ScannedOffer, today: number, records: PricedRecords): PricedExample {
  const [price, halfStars, seenAt] = [offer[11], offer[12], offer[13]];
  const priced = pricedPackageOf(
    offer.slice(0, KEY_COLUMNS.length) as unknown as OfferKey,
    halfStars,
    records,
  );
  return { priced, pricedDay: Math.min(today, londonDay(seenAt)), price };
}

/** The nation of each airport and the fares of each party, by their ids. */
async function pricedRecords(database: SqlDatabase): Promise<PricedRecords> {
  const airports = (await database.prepare('select id, code from airport').rows()) as [number, string][];
  const nations = new Map(airports.map(([id, code]) => [id, nationOfAirport(code)]));
  const parties = (await database
    .prepare('select id, adults, children, infants from party')
    .rows()) as number[][];
  const fares = new Map(
    parties.map(([id = 0, adults = 0, children = 0, infants = 0]) => [
      id,
      faresOf({ adults, children, infants }),
    ]),
  );
  return {
    nationOf: (airport) => nations.get(airport) ?? 'england-wales',
    faresOf: (party) => fares.get(party) ?? 1,
  };
}

/** The name of the note with the day of the last clean-up. */
const DELETED_DAY = 'prices.deleted_day';

/**
 * Deletes expired rows once a day, unless the machine's clock may be wrong. `now` is in milliseconds since
 * 1970. Returns whether they have been deleted today.
 */
export async function deleteExpiredPrices(database: SqlDatabase, now: number): Promise<boolean> {
  const today = dayNumber(todayInLondon(now));
  if ((await readNote(database, DELETED_DAY)) === String(today)) return true;
  if ((await checkClock(database, now)).kind === 'doubted') return false;
  const departed = today - OBSERVATIONS_KEPT_DAYS;
  const deletions = [
    (tx: SqlTransaction) => removeOffersBefore(tx, today, PRICE_RUNS),
    ({ sql }: SqlTransaction) => sql.run`delete from price_observation where departure_day < ${departed}`,
    ({ sql }: SqlTransaction) => sql.run`delete from price_path where departure_month < ${monthOfDay(today)}`,
    ({ sql }: SqlTransaction) =>
      sql.run`delete from site_visit where visited_at < ${(today - VISITS_KEPT_DAYS) * 1440}`,
  ];
  // Each deletion has its own transaction, because clicks and sign-ups wait for the embedded store's write lock.
  for (const remove of deletions) await database.write<unknown>('price blocks', remove);
  await writeNote(database, DELETED_DAY, String(today));
  return true;
}
