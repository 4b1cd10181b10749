import { addDays, dayNumber, fromDayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { settleVisits } from '../ingest/settle-visits.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { CHARGES_APPLIED, CHARGES_NOTE } from '../inventory/inventory-notes.ts';
import { isSeenAgain, KEY_COLUMNS, OFFER, type OfferKey } from '../inventory/offer-columns.ts';
import { referenceState } from '../inventory/tables/reference-tables.ts';
import { digestOf } from '../lib/digest.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { readNote, writeNote } from '../storage/notes.ts';
import type { SqlDatabase, SqlSession } from '../storage/sql-database.ts';
import type { Attempt, NotedLines } from './attempts/attempt-table.ts';
import { feedSequence } from './changed-packages.ts';
import { comparisonLines, findingsIn, marketOf, type PlaceCount } from './feed-findings.ts';
import { feedProfile } from './feed-profile.ts';
import type { FormatName } from './formats/feed-format.ts';
import { FeedFault, UnusableFeed } from './formats/raw-row.ts';
import { feedDictionaries } from './map/feed-dictionaries.ts';
import type { RowCounts } from './map/feed-package.ts';
import { placeFinder } from './map/feed-places.ts';
import type { RefusalFile } from './refusal-file.ts';
import type { ImportOrder, ImportOutcome, RunningImport } from './running-import.ts';
import { stageFeed } from './stage-feed.ts';
import { limitsOf, poundsOf, priceCounter, reasonsToHold } from './write/import-guardrails.ts';
import type { ImportLease } from './write/import-lease.ts';
import { type KnownLines, lineWriter, readLines } from './write/line-file.ts';
import type { FeedStore } from './write/open-feed-store.ts';
import { writtenOutside } from './write/outside-writes.ts';
import { writeQuarantine } from './write/quarantine.ts';
import { countSeen, seeOffers, setBackAdded } from './write/seen-again.ts';
import { holdSharedHotels } from './write/shared-hotels.ts';
import { type Difference, type PriceMove, WholeFeedNeeded } from './write/staged-lines.ts';
import { openStaging, UNMARKED } from './write/staging.ts';
import { inventoryKind, writeLastImport } from './write/store-notes.ts';

const MS_A_MINUTE = 60_000;
const MS_A_DAY = 24 * 60 * MS_A_MINUTE;

/** After this time, the whole feed is read. */
const WHOLE_AFTER_MS = 7 * MS_A_DAY;

/** How long before it is written a price may have been checked. */
const CHECKED_BEFORE_MS = MS_A_DAY;

/**
 * Imports a provider's feed, all or nothing. Throws a FeedFault if it cannot be imported, without changes.
 * The caller holds the lease.
 */
export async function runImport(
  store: FeedStore,
  lease: ImportLease,
  order: ImportOrder,
): Promise<ImportOutcome> {
  try {
    if (!order.isTrial) await refuseSample(store.database);
    try {
      return await importOnce(store, lease, order, true);
    } catch (error) {
      if (!(error instanceof WholeFeedNeeded)) throw error;
      order.report.clear();
      return await importOnce(store, lease, order, false);
    }
  } finally {
    // If this fails, the provider's next import clears what is still staged.
    try {
      await store.writing.close();
    } catch {}
  }
}

/** Throws `WholeFeedNeeded`, without changes, if `skipsKnown` and the last feed's lines turn out not to be enough. */
async function importOnce(
  store: FeedStore,
  lease: ImportLease,
  order: ImportOrder,
  skipsKnown: boolean,
): Promise<ImportOutcome> {
  const { now, report } = order;
  const version = await referenceState(store.database);
  const startedAt = now();
  const staging = openStaging(order.stagingFolder);
  let writer: RunningImport['writer'] = null;
  try {
    const running = await beginImport({ store, lease, order, staging, version, startedAt }, skipsKnown);
    ({ writer } = running);
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
    const kind = decide(running, reasons, difference);
    const outcome: ImportOutcome = {
      kind,
      format,
      counts: running.counts,
      difference,
      reasons,
      measure,
      profile,
      sequence: running.sequence.highest(),
      moves,
      unlisted: unlistedPlaces(running),
      lines: kind === 'imported' || kind === 'unchanged' ? noteLines(running) : null,
      took: { reading: stagedAt - startedAt, comparing: comparedAt - stagedAt, writing: 0 },
    };
    await writeImport(running, outcome);
    outcome.took.writing = now() - comparedAt;
    return outcome;
  } finally {
    writer?.discard();
    staging.close();
  }
}

/** Locks shared hotels, and reads the dictionaries and the last feed's lines. */
async function beginImport(
  begun: Pick<RunningImport, 'store' | 'lease' | 'order' | 'staging' | 'version' | 'startedAt'>,
  skipsKnown: boolean,
): Promise<RunningImport> {
  const { store, lease, order, staging, startedAt } = begun;
  const { provider, airports, isTrial } = order;
  const sequence = feedSequence(staging, order);
  const onWait = async () => {
    await lease.renew();
    order.onProgress('Waiting for another import with shared hotel codes', '');
  };
  const describesShared = provider.hotelCodes === 'shared' && !isTrial;
  const sharedHotels = describesShared ? await holdSharedHotels(store.database, onWait) : null;
  const charges = await readNote(store.database, CHARGES_NOTE);
  let known: KnownLines | null = null;
  const dictionaries = await feedDictionaries(store.database, staging.database, {
    provider,
    airports,
    isChanges: order.isChanges,
    transaction: isTrial ? null : store.writing.records,
    unread: () => known,
    onWalked: lease.renew,
  });
  const stored = dictionaries.isNewProvider ? null : dictionaries.provider;
  const firstDay = dayNumber(addDays(todayInLondon(startedAt), 1));
  const storedPrices = await packagesBefore(store, stored, firstDay);
  const before = storedPrices.measure(dictionaries.countryOf);
  const isFirst = order.lately.length === 0 && before.packages === 0;
  const running: RunningImport = {
    ...begun,
    dictionaries,
    stored,
    profile: isTrial || isFirst ? feedProfile() : null,
    sequence,
    sharedHotels,
    charges,
    firstDay,
    seenAt: Math.floor(order.madeAt / MS_A_MINUTE),
    counts: { rows: 0, refused: 0, leftOut: 0, duplicates: 0 },
    before,
    prices: priceCounter(),
    known: null,
    part: order.isChanges ? 'changes' : null,
    untouched: { all: 0, again: 0, afterGap: 0 },
    writer: isTrial || order.isChanges ? null : lineWriter(order.linesOf(order.attempt)),
    unlisted: new Map(),
    until: 0,
  };
  if (skipsKnown) known = await readKnown(running);
  running.known = known;
  if (known !== null) running.part = 'new lines';
  if (running.part === null) return running;
  running.prices = storedPrices;
  running.unlisted = await storedUnlisted(running);
  return running;
}

/** What gave this feed's lines their meaning. */
function basisOf({ order, charges, sharedHotels }: RunningImport): string {
  return digestOf(JSON.stringify([order.basis, charges, sharedHotels?.described() ?? null]));
}

/**
 * The last feed's lines, if they mean what they meant and the store has their packages. Once a week, the whole feed is
 * read anyway.
 */
async function readKnown(running: RunningImport): Promise<KnownLines | null> {
  const { store, order, stored, startedAt, seenAt, firstDay, before } = running;
  const { last, isTrial } = order;
  const lines = last?.detail.lines ?? null;
  if (isTrial || last === null || lines === null || stored === null) return null;
  const lastSeenAt = lastMadeMinute(last);
  const isLater = startedAt >= last.startedAt && seenAt >= lastSeenAt;
  if (!isLater || startedAt - lines.wholeAt >= WHOLE_AFTER_MS || lines.basis !== basisOf(running))
    return null;
  const touched = await writtenOutside(store.database, stored, {
    seenAfter: lastSeenAt,
    checkedAfter: Math.floor((last.startedAt - CHECKED_BEFORE_MS) / MS_A_MINUTE),
  });
  const known = readLines(order.linesOf(last.id), {
    count: lines.count,
    minute: Math.floor(startedAt / MS_A_MINUTE),
    touched,
  });
  return known?.packagesFrom(firstDay) === before.packages ? known : null;
}

/** The minute in which the last feed's file was made; infinity if it is unknown. */
function lastMadeMinute(last: Attempt): number {
  return Math.floor((last.detail.madeAt ?? Number.POSITIVE_INFINITY) / MS_A_MINUTE);
}

/** Reads, maps and stages the feed's rows. */
async function stageRows(running: RunningImport): Promise<FormatName> {
  const { store, dictionaries, sequence, stored, known } = running;
  const format = await stageFeed(running);
  await sequence.check();
  await sequence.addOthers(store, stored, dictionaries);
  await sequence.removeRefused(store, stored);
  if (known !== null) takeKnown(running, known);
  return format;
}

/** Counts the lines that were not read, and stages the packages of those that are gone. */
function takeKnown({ staging, dictionaries, sequence, counts }: RunningImport, known: KnownLines): void {
  const hotels = known.hotels();
  const isUnsettled = [...dictionaries.unsettled].some((hotel) => hotels.has(hotel));
  if (known.isRepeated() || isUnsettled || sequence.highest() !== null) throw new WholeFeedNeeded();
  counts.rows += known.found();
  for (const key of known.gone()) staging.addGone(key);
}

/** Finds what the staged packages change, and counts their prices. */
async function compareWithStore(running: RunningImport): Promise<Difference> {
  const { store, lease, order, staging, dictionaries, counts, part, stored, seenAt, firstDay } = running;
  let walked = 0;
  const tally = (row: OfferRow, packages: number) => {
    const place = running.unlisted.get(row[OFFER.resort]);
    if (place !== undefined) place.count += packages;
    running.prices.add(row[OFFER.country], row[OFFER.price], packages);
  };
  const seen = part === null ? running.untouched : await countSeen(store.database, stored ?? 0, seenAt);
  running.untouched = seen;
  order.onProgress('Comparing', '');
  const difference = await store.writing.compare({
    code: order.provider.code,
    staging,
    provider: stored,
    part,
    checkedAfter: order.provider.priceCheck && order.last && lastMadeMinute(order.last),
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
        order.onProgress('Comparing', `${walked} packages`);
      },
      onKept(row) {
        walked += 1;
        running.until = Math.max(running.until, row[OFFER.departureDay]);
        tally(row, 1);
      },
      onDuplicate(line, kept) {
        walked += 1;
        counts.duplicates += 1;
        const reason = 'duplicates a cheaper or earlier line';
        order.report.add(line, [{ field: '', value: `line ${kept}`, reason }], { leftOut: true });
      },
      onPackage(row, mark) {
        const isSettled = !dictionaries.unsettled.has(row[OFFER.hotel]);
        running.writer?.add(isSettled ? mark : UNMARKED, row);
      },
      onTouched(row) {
        const before = row[OFFER.seenAt];
        seen.all -= 1;
        if (before < seenAt && isSeenAgain(seenAt, before)) seen.again -= 1;
        if (row[OFFER.departureDay] >= firstDay) tally(row, -1);
      },
    },
  });
  if (part === null) return difference;
  const { all, again } = seen;
  difference.packages += all;
  difference.seenAgain += again;
  difference.unchanged += all - again;
  return difference;
}

/** Notes the feed's lines for the next import. */
function noteLines(running: RunningImport): NotedLines | null {
  const { order, known, writer, staging, sequence, startedAt } = running;
  // Lines with a sequence number are never the same twice.
  if (writer === null || sequence.highest() !== null) return null;
  for (const entry of known?.entries() ?? []) writer.addEntry(entry);
  const offSale = [...staging.quarantined()].map((row) => row.slice(0, KEY_COLUMNS.length));
  const count = writer.finish(offSale as unknown as OfferKey[]);
  const wholeAt = known === null ? startedAt : (order.last?.detail.lines?.wholeAt ?? 0);
  return { count, basis: basisOf(running), wholeAt };
}

/** Measures the feed, and compares it with the packages before and earlier feeds; a first one with the market. */
async function checkGuardrails(
  running: RunningImport,
  difference: Difference,
): Promise<Pick<ImportOutcome, 'measure' | 'reasons' | 'profile'>> {
  const { store, order, stored, sequence, firstDay, counts, before, prices, profile } = running;
  const measure = prices.measure(running.dictionaries.countryOf);
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
  const { store, lease, order, staging, dictionaries, sharedHotels, firstDay, seenAt, startedAt } = running;
  const { code } = order.provider;
  const { kind, difference, format, counts } = outcome;
  const settle = async (tx: SqlSession) => {
    const importedAt = Math.floor(startedAt / MS_A_MINUTE);
    await settleVisits(tx, { provider: dictionaries.provider, importedAt, firstDay });
    await order.onWriting(tx, outcome);
  };
  if (kind === 'unchanged') await store.database.write(`offers of ${code}`, settle);
  if (kind !== 'imported') return;
  const { packages, added, changed, removed } = difference;
  await store.writing.apply({
    code,
    staging,
    dictionaries,
    difference,
    part: running.part,
    firstDay,
    version: running.version,
    async check(tx) {
      await lease.check(tx);
      await refuseSample(tx);
      await sharedHotels?.check(tx);
    },
    onWritten: (written) => order.onProgress('Writing', `${written} packages`),
    async finish(tx) {
      const at = new Date(startedAt).toISOString();
      const { refused } = counts;
      if (running.part !== null) await seeOffers(tx, dictionaries.provider, seenAt, running.untouched);
      // If nothing was on sale, as when a provider is listed again, the file may have been imported before.
      if (order.last === null ? order.isRepeated : seenAt < lastMadeMinute(order.last))
        await setBackAdded(tx, dictionaries.provider, seenAt);
      const until = Math.max(running.until, await lastDeparture(tx, running));
      const last = { at, format, packages, added, changed, removed, refused, until };
      await writeLastImport(tx, code, last);
      // The rows have the charges of the table that the import began with.
      if ((await readNote(tx, CHARGES_NOTE)) !== running.charges) await writeNote(tx, CHARGES_APPLIED, '0');
      if (dictionaries.hasChanges()) await sharedHotels?.renew(tx);
      if (outcome.lines !== null) outcome.lines.basis = basisOf(running);
      await writeQuarantine(tx, staging, firstDay);
      await settle(tx);
    },
  });
}

/** The last departure of the provider's packages that were not read; 0 if all were. */
async function lastDeparture(tx: SqlSession, { part, stored }: RunningImport): Promise<number> {
  if (part === null) return 0;
  const last = tx.prepare(
    'select departure_day from offer where provider = ? order by departure_day desc limit 1',
  );
  return Number((await last.row(stored ?? 0))?.[0] ?? 0);
}

/** The places of the provider's stored packages that are not on the destination list, by resort. */
async function storedUnlisted(running: RunningImport): Promise<RunningImport['unlisted']> {
  const { store, order, stored, dictionaries, firstDay } = running;
  const find = placeFinder(order.destinations, order.otherNames);
  const places = store.database.prepare(
    'select resort, count(*) from offer where provider = ? and departure_day >= ? group by resort',
  );
  const unlisted: RunningImport['unlisted'] = new Map();
  for (const [resort, count] of await places.rows(stored ?? 0, firstDay)) {
    const { country, region, resort: name } = dictionaries.placeOf(Number(resort));
    const place = find(country, region, name);
    if (place === null || place.isListed) continue;
    unlisted.set(Number(resort), { isRegionListed: place.isRegionListed, count: Number(count) });
  }
  return unlisted;
}

/** The most frequent first. */
function unlistedPlaces({ unlisted, dictionaries }: RunningImport): PlaceCount[] {
  const some = [...unlisted].filter(([, { count }]) => count > 0);
  const places = some.map(([id, counted]) => {
    const { country, region, resort } = dictionaries.placeOf(id);
    return { ...counted, place: `${resort}, ${region}, ${country}` };
  });
  return places.toSorted((one, other) => other.count - one.count || (one.place < other.place ? -1 : 1));
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

/** The prices of the provider's packages in the store that depart on `firstDay` or later, by the country's id. */
async function packagesBefore(store: FeedStore, provider: number | null, firstDay: number) {
  const stored = store.database.prepare(`select country, price / 100 * 100, count(*) from offer
    where provider = ? and departure_day >= ? group by 1, 2`);
  const prices = priceCounter();
  for await (const row of stored.iterate(provider ?? 0, firstDay)) {
    const [country = 0, price = 0, count = 0] = row.map(Number);
    prices.add(country, price, count);
  }
  return prices;
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
