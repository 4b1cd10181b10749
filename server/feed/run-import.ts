import { statSync } from 'node:fs';
import { addDays, dayNumber, fromDayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import type { Destination } from '../../domain/destination.ts';
import { settleVisits } from '../ingest/settle-visits.ts';
import { CHARGES_APPLIED, CHARGES_NOTE } from '../inventory/inventory-notes.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { referenceState } from '../inventory/tables/reference-tables.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import { readNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase, SqlValue } from '../storage/sql-database.ts';
import type { Attempt } from './attempts/attempt-table.ts';
import { feedSequence } from './changed-packages.ts';
import type { FormatName } from './formats/feed-format.ts';
import type { FeedMapping } from './formats/mapped/mapping.ts';
import { FeedFault, UnusableFeed } from './formats/raw-row.ts';
import type { FeedAirports } from './map/feed-airports.ts';
import { feedDictionaries } from './map/feed-dictionaries.ts';
import type { FeedPackage, RowCounts } from './map/feed-package.ts';
import { placeFinder } from './map/feed-places.ts';
import type { HolidayProvider } from './map/holiday-providers.ts';
import type { RefusalFile } from './refusal-file.ts';
import { stageFeed } from './stage-feed.ts';
import type { Difference, PriceMove } from './write/difference.ts';
import {
  type FeedMeasure,
  limitsOf,
  type PriceMeasure,
  poundsOf,
  priceCounter,
  reasonsToHold,
} from './write/import-guardrails.ts';
import type { ImportLease } from './write/import-lease.ts';
import type { FeedStore } from './write/open-feed-store.ts';
import { writeQuarantine } from './write/quarantine.ts';
import { holdSharedHotels } from './write/shared-hotels.ts';
import { openStaging, type Staging } from './write/staging.ts';
import { inventoryKind, writeLastImport } from './write/store-notes.ts';

/** The phase in which another import describes hotels with shared codes. */
const WAITING = 'Waiting for another import with shared hotel codes';

const MS_A_MINUTE = 60_000;

/** The most unlisted places to count. */
const MAX_PLACES = 10_000;

export interface PlaceCount {
  place: string;
  count: number;
}

export type ImportPhase =
  | 'Fetching'
  | 'Waiting for another import'
  | typeof WAITING
  | 'Reading'
  | 'Comparing'
  | 'Writing';

export interface ImportOrder {
  /** The feed's file. */
  path: string;
  /** Null: detected. */
  format: FormatName | null;
  mapping: FeedMapping | null;
  provider: HolidayProvider;
  airports: FeedAirports;
  destinations: readonly Destination[];
  /** The feed has only what changed since the last feed. */
  isChanges: boolean;
  /** The attempt that gave the store its packages. */
  last: Attempt | null;
  /** When the file was made. */
  madeAt: number;
  /** The same file was imported before. */
  isRepeated: boolean;
  /** Overrides the guardrails. */
  isAccepted: boolean;
  /** Puts quarantined prices on sale. */
  releasesPrices: boolean;
  /** Finds the difference and writes nothing. */
  isTrial: boolean;
  /** The measures of earlier good feeds from the last seven days. */
  lately: readonly PriceMeasure[];
  stagingFolder: string;
  report: RefusalFile;
  /** Called for each valid package. */
  onPackage: (offer: FeedPackage) => void;
  /** Called in the transaction that writes the import. */
  onWriting: (database: SqlDatabase, outcome: ImportOutcome) => Promise<void>;
  now: () => number;
  /** `of` is null if the total is unknown; `rows` counts the rows so far. */
  onProgress: (phase: ImportPhase, done: number, of: number | null, rows: number) => void;
}

export interface ImportOutcome {
  kind: 'imported' | 'unchanged' | 'held' | 'tried';
  format: FormatName;
  counts: RowCounts;
  difference: Difference;
  /** Why the import is kept for review, or would be without `isAccepted`. */
  reasons: string[];
  measure: FeedMeasure;
  /** The feed's sequence number; null: it has none. */
  sequence: number | null;
  /** The largest price moves, in words. */
  moves: string[];
  /** Places of the feed's packages that are not on the destination list. */
  unlisted: PlaceCount[];
  took: { reading: number; comparing: number; writing: number };
}

/**
 * Imports a provider's feed, all or nothing. Throws a FeedFault if it cannot be imported, without changes.
 * The caller holds the lease.
 */
export async function runImport(
  store: FeedStore,
  lease: ImportLease,
  order: ImportOrder,
): Promise<ImportOutcome> {
  const { provider, airports, now, report, onProgress } = order;
  await refuseSample(store);
  const version = await referenceState(store.database);
  const startedAt = now();
  const firstDay = dayNumber(addDays(todayInLondon(startedAt), 1));
  const counts: RowCounts = { rows: 0, refused: 0, leftOut: 0, duplicates: 0 };
  const unlisted = new Map<number, PlaceCount>();
  const prices = priceCounter();
  const countryNames = new Map<number, string>();
  const seenAt = Math.floor(order.madeAt / MS_A_MINUTE);
  let staging: Staging | null = null;
  try {
    staging = openStaging(order.stagingFolder);
    const planned = staging;
    const sequence = feedSequence(staging, order);
    const onWait = async () => {
      await lease.renew();
      onProgress(WAITING, 0, null, 0);
    };
    const describesShared = provider.hotelCodes === 'shared' && !order.isTrial;
    const sharedHotels = describesShared ? await holdSharedHotels(store.database, onWait) : null;
    const charges = await readNote(store.database, CHARGES_NOTE);
    const dictionaries = await feedDictionaries(store.database, staging.database, {
      provider,
      airports,
      transaction: order.isTrial ? null : store.writing.records,
      onWalked: lease.renew,
    });
    const { size } = statSync(order.path);
    const format = await stageFeed({
      ...order,
      context: {
        provider,
        airports,
        findPlace: placeFinder(order.destinations),
        now: startedAt,
        isChanges: order.isChanges,
      },
      seenAt,
      takesSequence: sequence.take,
      dictionaries,
      staging,
      counts,
      onStaged(row, offer) {
        const { isListed, country, region, resort } = offer.place;
        if (!isListed && unlisted.size < MAX_PLACES && !unlisted.has(row[OFFER.resort]))
          unlisted.set(row[OFFER.resort], { place: `${resort}, ${region}, ${country}`, count: 0 });
        countryNames.set(row[OFFER.country], offer.place.country);
        order.onPackage(offer);
      },
      async onBatch(bytesRead) {
        await lease.renew();
        onProgress('Reading', bytesRead, size, counts.rows);
      },
    });
    const stored = dictionaries.isNewProvider ? null : dictionaries.provider;
    await sequence.addOthers(store, stored, seenAt);
    const stagedAt = now();
    const toCompare = counts.rows - counts.refused - counts.leftOut;
    let walked = 0;
    let until = 0;
    onProgress('Comparing', 0, toCompare, 0);
    const limits = limitsOf(provider.feed?.guardrails ?? {});
    const difference = await store.writing.compare({
      code: provider.code,
      staging,
      provider: stored,
      isChanges: order.isChanges,
      limits: {
        percent: limits.priceMove,
        quarantine: {
          day: dayNumber(todayInLondon(order.madeAt)),
          isRepeated: order.isRepeated,
          isReleasing: order.releasesPrices,
        },
      },
      lines: {
        correct: dictionaries.corrected,
        async onWalked() {
          await lease.renew();
          onProgress('Comparing', walked, toCompare, walked);
        },
        onKept(row) {
          walked += 1;
          until = Math.max(until, row[OFFER.departureDay]);
          const place = unlisted.get(row[OFFER.resort]);
          if (place !== undefined) place.count += 1;
          prices.add(row[OFFER.country], row[OFFER.price]);
        },
        onDuplicate(line, kept) {
          walked += 1;
          counts.duplicates += 1;
          const reason = 'duplicates a cheaper or earlier line';
          report.add(line, [{ field: '', value: `line ${kept}`, reason }], { leftOut: true });
        },
      },
    });
    refuseEmpty(difference, counts, provider.code);
    const moves = await describeMoves(store.database, difference.moves);
    if (difference.quarantined > 0) reportQuarantined(report, difference, moves);
    // A full disk must not fail an import that has committed.
    report.finish();
    const before = await packagesBefore(store, stored, firstDay);
    const storedNames = new Map(
      (await store.database.prepare('select id, name from country').rows()).map(([id, name]) => [id, name]),
    );
    const measure = prices.measure((id) =>
      String(countryNames.get(Number(id)) ?? storedNames.get(Number(id)) ?? id),
    );
    const isNew = before.packages === 0 && order.lately.length === 0;
    const suspicious = reasonsToHold(
      {
        before,
        after: measure,
        rows: counts.rows,
        refused: counts.refused,
        moved: difference.moved,
        known: difference.packages + difference.quarantined - difference.added,
        lately: order.lately,
        market: isNew ? await marketOf(store, stored, [...countryNames.keys()], firstDay) : null,
      },
      provider.feed?.guardrails,
    );
    const reasons = [...sequence.reasons(), ...suspicious];
    const comparedAt = now();
    const hasNews = dictionaries.hasChanges() || staging.isQuarantineChanged();
    const kind = decide(order, reasons, difference, hasNews);
    const outcome: ImportOutcome = {
      kind,
      format,
      counts,
      difference,
      reasons,
      measure,
      sequence: sequence.highest(),
      moves,
      unlisted: [...unlisted.values()]
        .filter(({ count }) => count > 0)
        .toSorted((one, other) => other.count - one.count),
      took: { reading: stagedAt - startedAt, comparing: comparedAt - stagedAt, writing: 0 },
    };
    const settle = async () => {
      const importedAt = Math.floor(startedAt / MS_A_MINUTE);
      await settleVisits(store.database, { provider: dictionaries.provider, importedAt, firstDay });
      await order.onWriting(store.database, outcome);
    };
    if (kind === 'imported') {
      const { packages, added, changed, seenAgain, removed } = difference;
      const toWrite = added + changed + seenAgain + removed;
      await store.writing.apply({
        code: provider.code,
        staging,
        dictionaries,
        difference,
        firstDay,
        version,
        async check() {
          await lease.check();
          await refuseSample(store);
          await sharedHotels?.check();
        },
        onWritten: (written) => onProgress('Writing', written, toWrite, written),
        async finish() {
          const at = new Date(startedAt).toISOString();
          const last = { at, format, packages, added, changed, removed, refused: counts.refused, until };
          await writeLastImport(store.database, provider.code, last);
          // The rows have the charges of the table that the import began with.
          if ((await readNote(store.database, CHARGES_NOTE)) !== charges)
            await writeNote(store.database, CHARGES_APPLIED, '0');
          await sharedHotels?.renew();
          await writeQuarantine(store.database, planned, firstDay);
          await settle();
        },
      });
    } else if (kind === 'unchanged')
      await inTransaction(store.database, settle, `offers of ${provider.code}`);
    outcome.took.writing = now() - comparedAt;
    return outcome;
  } finally {
    // If this fails, the provider's next import clears what is still staged.
    try {
      await store.writing.close();
    } catch {}
    staging?.close();
  }
}

function refuseEmpty({ packages, quarantined }: Difference, { rows }: RowCounts, provider: string): void {
  if (packages + quarantined > 0) return;
  const what =
    rows === 0 ? 'The feed has a header but no rows' : `None of the feed's ${rows} rows could be imported`;
  const Fault = rows === 0 ? FeedFault : UnusableFeed;
  throw new Fault(
    `${what}, so nothing was changed. To remove the provider's packages, run ${installedCommand('feed', `remove ${provider}`)}.`,
  );
}

function decide(
  { isTrial, isAccepted }: ImportOrder,
  reasons: readonly string[],
  { added, changed, seenAgain, removed }: Difference,
  hasNews: boolean,
): ImportOutcome['kind'] {
  if (isTrial) return 'tried';
  if (reasons.length > 0 && !isAccepted) return 'held';
  const isSame = added + changed + seenAgain + removed === 0 && !hasNews;
  return isSame ? 'unchanged' : 'imported';
}

/** Feeds and the sample inventory never mix. */
async function refuseSample({ database }: FeedStore): Promise<void> {
  if ((await inventoryKind(database)) !== 'sample') return;
  throw new FeedFault(
    `The store holds the sample inventory, which cannot be mixed with feeds: set SAMPLE_INVENTORY=off, stop the server, run ${installedCommand('sample:clear')}, and import again.`,
  );
}

/** The provider's packages in the store that depart on `firstDay` or later. */
async function packagesBefore(
  { database }: FeedStore,
  provider: number | null,
  firstDay: number,
): Promise<FeedMeasure> {
  const stored = database.prepare(`select country.name, price, count(*) from offer
    join country on country.id = offer.country where provider = ? and departure_day >= ? group by 1, 2`);
  return measureOf(stored.iterate(provider ?? 0, firstDay));
}

/** The other providers' packages in these countries. */
async function marketOf(
  { database }: FeedStore,
  provider: number | null,
  countries: readonly number[],
  firstDay: number,
): Promise<PriceMeasure> {
  const others = database.prepare(`select 0, price, count(*) from offer
    where ${database.anyOf('country')} and provider <> ? and departure_day >= ? group by price`);
  return measureOf(others.iterate(countries, provider ?? 0, firstDay));
}

/** `rows`: country, price and the number of packages. */
async function measureOf(rows: AsyncIterable<readonly SqlValue[]>): Promise<FeedMeasure> {
  const prices = priceCounter();
  for await (const [country, price, count] of rows) prices.add(String(country), Number(price), Number(count));
  return prices.measure();
}

async function describeMoves(database: SqlDatabase, moves: readonly PriceMove[]): Promise<string[]> {
  const hotelOf = database.prepare('select name from hotel where id = ?');
  const airportOf = database.prepare('select code from airport where id = ?');
  return await Promise.all(
    moves.map(async ([hotel, airport, departureDay, nights, was, price]) => {
      const names = [(await hotelOf.row(hotel))?.[0], (await airportOf.row(airport))?.[0]].map((name) =>
        String(name ?? '?'),
      );
      return `${names.join(', ')}, ${fromDayNumber(departureDay)}, ${nights} nights: ${poundsOf(was)} to ${poundsOf(price)}`;
    }),
  );
}

function reportQuarantined(report: RefusalFile, { quarantined }: Difference, moves: readonly string[]): void {
  const reason = `moved more than threefold, so the package is off sale until feeds of two days agree on its price or you accept it`;
  for (let nth = 0; nth < quarantined; nth += 1) {
    report.add(0, [{ field: 'TotalPrice', value: moves[nth] ?? '', reason }]);
  }
}
