import { statSync } from 'node:fs';
import { addDays, dayNumber, fromDayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import type { Destination } from '../../domain/destination.ts';
import type { OtherNames } from '../../domain/other-names.ts';
import { settleVisits } from '../ingest/settle-visits.ts';
import { CHARGES_APPLIED, CHARGES_NOTE } from '../inventory/inventory-notes.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { referenceState } from '../inventory/tables/reference-tables.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { readNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase, SqlSession, SqlValue } from '../storage/sql-database.ts';
import type { Attempt } from './attempts/attempt-table.ts';
import { feedSequence } from './changed-packages.ts';
import { comparisonLines, findingsIn, marketOf, type PlaceCount } from './feed-findings.ts';
import { type FeedProfile, feedProfile } from './feed-profile.ts';
import type { FormatName } from './formats/feed-format.ts';
import type { FeedMapping } from './formats/mapped/mapping.ts';
import { FeedFault, UnusableFeed } from './formats/raw-row.ts';
import type { FeedAirports } from './map/feed-airports.ts';
import { feedDictionaries } from './map/feed-dictionaries.ts';
import type { RowCounts } from './map/feed-package.ts';
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
  otherNames: OtherNames;
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
  /** Called in the transaction that writes the import. */
  onWriting: (tx: SqlSession, outcome: ImportOutcome) => Promise<void>;
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
  /** What an expert would look at: of a first feed, or in a check. */
  profile: string[];
  /** The feed's sequence number; null: it has none. */
  sequence: number | null;
  /** The largest price moves, in words. */
  moves: string[];
  /** Places of the feed's packages that are not on the destination list. */
  unlisted: PlaceCount[];
  took: { reading: number; comparing: number; writing: number };
}

/** What the steps of an import share. */
interface RunningImport {
  store: FeedStore;
  lease: ImportLease;
  order: ImportOrder;
  staging: Staging;
  dictionaries: Awaited<ReturnType<typeof feedDictionaries>>;
  /** The provider's id in the store; null: the store does not know it. */
  stored: number | null;
  sequence: ReturnType<typeof feedSequence>;
  /** Null: the feed describes no hotels of other providers. */
  sharedHotels: Awaited<ReturnType<typeof holdSharedHotels>> | null;
  /** The reference data and the table of charges that the import began with. */
  version: Awaited<ReturnType<typeof referenceState>>;
  charges: string | null;
  startedAt: number;
  firstDay: number;
  seenAt: number;
  counts: RowCounts;
  prices: ReturnType<typeof priceCounter>;
  /** Places that are not on the destination list, by resort, and the names of countries. */
  unlisted: Map<number, PlaceCount>;
  countryNames: Map<number, string>;
  /** The last departure so far. */
  until: number;
  /** Only of a first feed, and in a check. */
  profile: FeedProfile | null;
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
  const { now, report } = order;
  let staging: Staging | null = null;
  try {
    if (!order.isTrial) await refuseSample(store.database);
    const version = await referenceState(store.database);
    const startedAt = now();
    staging = openStaging(order.stagingFolder);
    const running = await beginImport({ store, lease, order, staging, version, startedAt });
    const format = await stageRows(running);
    const stagedAt = now();
    const difference = await compareWithStore(running);
    refuseEmpty(difference, running.counts, order.provider.code);
    const moves = await describeMoves(store.database, difference.moves);
    if (difference.quarantined > 0) reportQuarantined(report, difference, moves);
    // A full disk must not fail an import that has committed.
    report.finish();
    const { measure, reasons, profile } = await checkGuardrails(running, difference);
    const comparedAt = now();
    const outcome: ImportOutcome = {
      kind: decide(running, reasons, difference),
      format,
      counts: running.counts,
      difference,
      reasons,
      measure,
      profile,
      sequence: running.sequence.highest(),
      moves,
      unlisted: unlistedPlaces(running),
      took: { reading: stagedAt - startedAt, comparing: comparedAt - stagedAt, writing: 0 },
    };
    await writeImport(running, outcome);
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

/** Locks shared hotels, and reads the dictionaries. */
async function beginImport(
  begun: Pick<RunningImport, 'store' | 'lease' | 'order' | 'staging' | 'version' | 'startedAt'>,
): Promise<RunningImport> {
  const { store, lease, order, staging, startedAt } = begun;
  const { provider, airports, isTrial } = order;
  const sequence = feedSequence(staging, order);
  const onWait = async () => {
    await lease.renew();
    order.onProgress(WAITING, 0, null, 0);
  };
  const describesShared = provider.hotelCodes === 'shared' && !isTrial;
  const sharedHotels = describesShared ? await holdSharedHotels(store.database, onWait) : null;
  const charges = await readNote(store.database, CHARGES_NOTE);
  const dictionaries = await feedDictionaries(store.database, staging.database, {
    provider,
    airports,
    transaction: isTrial ? null : store.writing.records,
    onWalked: lease.renew,
  });
  const stored = dictionaries.isNewProvider ? null : dictionaries.provider;
  const isFirst =
    order.lately.length === 0 &&
    (stored === null ||
      (await store.database.prepare('select 1 from offer where provider = ? limit 1').row(stored)) ===
        undefined);
  return {
    ...begun,
    dictionaries,
    stored,
    profile: isTrial || isFirst ? feedProfile() : null,
    sequence,
    sharedHotels,
    charges,
    firstDay: dayNumber(addDays(todayInLondon(startedAt), 1)),
    seenAt: Math.floor(order.madeAt / MS_A_MINUTE),
    counts: { rows: 0, refused: 0, leftOut: 0, duplicates: 0 },
    prices: priceCounter(),
    unlisted: new Map(),
    countryNames: new Map(),
    until: 0,
  };
}

/** Reads, maps and stages the feed's rows. */
async function stageRows(running: RunningImport): Promise<FormatName> {
  const { store, lease, order, staging, dictionaries, sequence, counts, unlisted, seenAt } = running;
  const { size } = statSync(order.path);
  const format = await stageFeed({
    ...order,
    profile: running.profile,
    context: {
      provider: order.provider,
      airports: order.airports,
      findPlace: placeFinder(order.destinations, order.otherNames),
      now: running.startedAt,
      isChanges: order.isChanges,
    },
    seenAt,
    takesSequence: sequence.take,
    dictionaries,
    staging,
    counts,
    onStaged(row, offer) {
      const { isListed, isRegionListed, country, region, resort } = offer.place;
      if (!isListed && unlisted.size < MAX_PLACES && !unlisted.has(row[OFFER.resort]))
        unlisted.set(row[OFFER.resort], {
          place: `${resort}, ${region}, ${country}`,
          isRegionListed,
          count: 0,
        });
      running.countryNames.set(row[OFFER.country], offer.place.country);
    },
    async onBatch(bytesRead) {
      await lease.renew();
      order.onProgress('Reading', bytesRead, size, counts.rows);
    },
  });
  await sequence.addOthers(store, running.stored, seenAt);
  return format;
}

/** Finds what the staged packages change, and counts their prices. */
async function compareWithStore(running: RunningImport): Promise<Difference> {
  const { store, lease, order, staging, dictionaries, counts, unlisted } = running;
  const toCompare = counts.rows - counts.refused - counts.leftOut;
  let walked = 0;
  order.onProgress('Comparing', 0, toCompare, 0);
  return await store.writing.compare({
    code: order.provider.code,
    staging,
    provider: running.stored,
    isChanges: order.isChanges,
    limits: {
      percent: limitsOf(order.provider.feed?.guardrails ?? {}).priceMove,
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
        order.onProgress('Comparing', walked, toCompare, walked);
      },
      onKept(row) {
        walked += 1;
        running.until = Math.max(running.until, row[OFFER.departureDay]);
        const place = unlisted.get(row[OFFER.resort]);
        if (place !== undefined) place.count += 1;
        running.prices.add(row[OFFER.country], row[OFFER.price]);
      },
      onDuplicate(line, kept) {
        walked += 1;
        counts.duplicates += 1;
        const reason = 'duplicates a cheaper or earlier line';
        order.report.add(line, [{ field: '', value: `line ${kept}`, reason }], { leftOut: true });
      },
    },
  });
}

/** Measures the feed, and compares it with the packages before and earlier feeds; a first one with the market. */
async function checkGuardrails(
  running: RunningImport,
  difference: Difference,
): Promise<Pick<ImportOutcome, 'measure' | 'reasons' | 'profile'>> {
  const { store, order, stored, sequence, firstDay, counts, prices, countryNames, profile } = running;
  const before = await packagesBefore(store, stored, firstDay);
  const storedNames = new Map(
    (await store.database.prepare('select id, name from country').rows()).map(([id, name]) => [id, name]),
  );
  const measure = prices.measure((id) =>
    String(countryNames.get(Number(id)) ?? storedNames.get(Number(id)) ?? id),
  );
  const suspicious = reasonsToHold(
    {
      before,
      after: measure,
      rows: counts.rows,
      refused: counts.refused,
      moved: difference.moved,
      fallen: difference.fallen,
      known: difference.packages + difference.quarantined - difference.added,
      lately: order.lately,
    },
    order.provider.feed?.guardrails,
  );
  const reasons = [...sequence.reasons(), ...suspicious];
  if (profile === null) return { measure, reasons, profile: [] };
  const facts = {
    profile,
    mapping: order.mapping,
    unlisted: unlistedPlaces(running),
    market: await marketOf(store.database, { provider: stored, profile, firstDay }),
  };
  return {
    measure,
    reasons: [...reasons, ...findingsIn(facts)],
    profile: [...profile.lines(), ...comparisonLines(facts)],
  };
}

/** Writes an import in one transaction. One without changes only records that the packages were seen. */
async function writeImport(running: RunningImport, outcome: ImportOutcome): Promise<void> {
  const { store, lease, order, staging, dictionaries, sharedHotels, firstDay, startedAt } = running;
  const { code } = order.provider;
  const { kind, difference, format, counts } = outcome;
  const settle = async (tx: SqlSession) => {
    const importedAt = Math.floor(startedAt / MS_A_MINUTE);
    await settleVisits(tx, { provider: dictionaries.provider, importedAt, firstDay });
    await order.onWriting(tx, outcome);
  };
  if (kind === 'unchanged') await store.database.write(`offers of ${code}`, settle);
  if (kind !== 'imported') return;
  const { packages, added, changed, seenAgain, removed } = difference;
  const toWrite = added + changed + seenAgain + removed;
  await store.writing.apply({
    code,
    staging,
    dictionaries,
    difference,
    firstDay,
    version: running.version,
    async check(tx) {
      await lease.check(tx);
      await refuseSample(tx);
      await sharedHotels?.check(tx);
    },
    onWritten: (written) => order.onProgress('Writing', written, toWrite, written),
    async finish(tx) {
      const at = new Date(startedAt).toISOString();
      const { refused } = counts;
      const last = { at, format, packages, added, changed, removed, refused, until: running.until };
      await writeLastImport(tx, code, last);
      // The rows have the charges of the table that the import began with.
      if ((await readNote(tx, CHARGES_NOTE)) !== running.charges) await writeNote(tx, CHARGES_APPLIED, '0');
      await sharedHotels?.renew(tx);
      await writeQuarantine(tx, staging, firstDay);
      await settle(tx);
    },
  });
}

function unlistedPlaces({ unlisted }: RunningImport): PlaceCount[] {
  return [...unlisted.values()]
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
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
  { order: { isTrial, isAccepted }, dictionaries, staging }: RunningImport,
  reasons: readonly string[],
  { added, changed, seenAgain, removed }: Difference,
): ImportOutcome['kind'] {
  if (isTrial) return 'tried';
  if (reasons.length > 0 && !isAccepted) return 'held';
  const hasNews = dictionaries.hasChanges() || staging.isQuarantineChanged();
  const isSame = added + changed + seenAgain + removed === 0 && !hasNews;
  return isSame ? 'unchanged' : 'imported';
}

/** Feeds and the sample inventory never mix. */
async function refuseSample(session: SqlSession): Promise<void> {
  if ((await inventoryKind(session)) !== 'sample') return;
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
