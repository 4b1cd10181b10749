import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dayNumber, fromDayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import type { AlertsConfig } from '../alerts/alerts-config.ts';
import { ALERTS_KEY_FILE, alertKeys } from '../alerts/keys/alert-keys.ts';
import { alertMetrics } from '../alerts/status/alert-metrics.ts';
import { alertsKeyState } from '../alerts/status/alerts-key-state.ts';
import { alertStore } from '../alerts/tables/alert-store.ts';
import { checkStoreFile } from '../backup/check-store-file.ts';
import type { Config } from '../config.ts';
import type { StateSources } from '../feed/provider-states.ts';
import { unfinishedWork } from '../ingest/complete-store.ts';
import { BLOCKS_FROM_MONTH, CHARGES_APPLIED, SAMPLE_MARKET_NOTE } from '../inventory/inventory-notes.ts';
import { errorMessage } from '../lib/error-message.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { readStoreFacts, type StoreFacts } from '../metrics/read-store-facts.ts';
import { checkCitus } from '../storage/citus/check.ts';
import { checkClock } from '../storage/clock-guard.ts';
import { SCHEMA_VERSION } from '../storage/migrate.ts';
import { readNote } from '../storage/notes.ts';
import { databasePath, openDatabaseForReading } from '../storage/open/database.ts';
import { checkServers } from '../storage/postgres/check-server.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { PostgresAddress, StoreAddress } from '../storage/store-address.ts';
import { checkPriceBlocks } from './check-price-blocks.ts';
import { checkRecords } from './check-records.ts';
import { checkTokenKey } from './check-shared-keys.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

const KEY_BYTES = 32;

/** A message that has been due for longer than this is stuck. In quiet hours, no message is due. */
const STUCK_AFTER_SECONDS = 900;

/** If providers.json cannot be read, a feed whose last import is older than this is late. */
const STALE_FEED_MS = 2 * 24 * 60 * 60 * 1_000;

/** If the price model is older than this, training has stopped. */
const STALE_MODEL_DAYS = 3;

const RESTORE = `Stop the server and restore a backup: ${installedCommand('restore', '<file>')}.`;

/** The index of the price blocks, as named in the message of SQLite's integrity check. */
const PRICE_INDEX = 'price_block_prices';

const REBUILD = `Run ${installedCommand('prices:rebuild')}, which rebuilds this index, then ${installedCommand('doctor')} again. If it still reports damage, stop the server and restore a backup.`;

/** Checks that the store is undamaged, has packages on sale, and can serve the alerts. */
export async function checkStore(
  sources: StateSources,
  config: Config,
  alerts: AlertsConfig,
): Promise<Finding[]> {
  if (config.store.kind === 'postgresql') return checkPostgres(sources, config, alerts, config.store);
  const file = databasePath(config.store.dataDir);
  if (!existsSync(file))
    return [
      warn(
        'There is no store yet. The first start creates it.',
        'If the server has already run, set DATA_DIR to its folder.',
      ),
    ];
  const checked = await checkStoreFile(file);
  if (checked.kind === 'refused')
    return [
      bad(
        `The store ${file} cannot be used: ${checked.message}.`,
        checked.message.endsWith(PRICE_INDEX) ? REBUILD : RESTORE,
      ),
    ];
  const contents = await checkContents(sources, config, alerts);
  return [ok(`The store is undamaged: schema ${checked.version}.`), ...contents];
}

async function checkPostgres(
  sources: StateSources,
  config: Config,
  alerts: AlertsConfig,
  store: PostgresAddress,
): Promise<Finding[]> {
  const { primary, replicas } = await checkServers(store);
  const faults = replicas.map(({ name, fault }) =>
    fault === null
      ? ok(`${name} responds.`)
      : warn(`${name} ${fault.reason}.`, `Searches go to the others. ${fault.remedy}.`),
  );
  const { name, fault, version } = primary;
  if (fault !== null) return [bad(`${name} ${fault.reason}.`, `${fault.remedy}.`), ...faults];
  if (version !== null && version < SCHEMA_VERSION) {
    return [
      ok(`PostgreSQL responds. The next start upgrades it from schema ${version} to ${SCHEMA_VERSION}.`),
    ];
  }
  return [
    ok(`PostgreSQL responds: schema ${version}.`),
    ...faults,
    ...(await checkContents(sources, config, alerts)),
  ];
}

async function checkContents(
  sources: StateSources,
  config: Config,
  alerts: AlertsConfig,
): Promise<Finding[]> {
  const { store } = config;
  const { now } = sources;
  await using database = openDatabaseForReading(store);
  try {
    const citus = store.kind === 'postgresql' ? await checkCitus(store.url) : [];
    if (citus.some(({ level }) => level === 'bad')) return citus;
    const facts = await readStoreFacts(database, store, sources);
    return [
      ...citus,
      checkOffers(facts, config, now),
      ...(await checkRecords(database, now)),
      ...(await checkPriceBlocks(database, now)),
      ...unfinishedWork(
        await readNote(database, BLOCKS_FROM_MONTH),
        await readNote(database, CHARGES_APPLIED),
      ).map((work) => warn(work, 'Keep the server running. If it is not, start it: it continues.')),
      ...(await checkClockOfStore(database, now)),
      ...(await checkSample(database, config)),
      ...facts.imports.map((one) => checkImport(one, facts.feeds, config, now)),
      ...facts.feeds.flatMap(checkFeed),
      ...checkPriceModels(facts, now),
      ...(await checkTokenKey(database, config)),
      // Another check reports that a PostgreSQL's key is missing.
      ...(store.kind === 'postgresql' && alerts.secret === null
        ? []
        : [await checkAlertsKey(database, alerts, store)]),
      await checkMessages(database, now),
    ];
  } catch (error) {
    return [
      bad(
        `The store cannot be read: ${errorMessage(error)}.`,
        'Start the server once. It upgrades the store.',
      ),
    ];
  }
}

function checkOffers({ offers, lastDeparture }: StoreFacts, config: Config, now: number): Finding {
  const feed = config.sampleInventory
    ? 'Start the server. It loads the sample inventory in the background.'
    : `Import a feed (${installedCommand('feed')}), or set SAMPLE_INVENTORY=on to try Skylark with an invented inventory.`;
  if (offers === 0 || lastDeparture === null) return warn('There is nothing on sale.', feed);
  const last = fromDayNumber(lastDeparture);
  if (lastDeparture <= dayNumber(todayInLondon(now))) {
    return warn(`All ${offers} packages have departed, the last on ${last}.`, feed);
  }
  return ok(`${offers} packages are on sale, with departures until ${last}.`);
}

async function checkClockOfStore(database: SqlDatabase, now: number): Promise<Finding[]> {
  const verdict = await checkClock(database, now);
  if (verdict.kind === 'right') return [];
  const last = new Date(verdict.last).toISOString();
  return [
    warn(
      `The clock of this machine says ${new Date(now).toISOString()}, but servers of this store last reported ${last}.`,
      'Check the clock. If it is right, clean-up resumes after a server has run for an hour.',
    ),
  ];
}

async function checkSample(database: SqlDatabase, { sampleInventory, mode }: Config): Promise<Finding[]> {
  if (!(await readNote(database, SAMPLE_MARKET_NOTE))) return [];
  if (!sampleInventory) {
    return [
      warn(
        'The store holds the sample inventory, but SAMPLE_INVENTORY is off: invented packages are shown as real ones.',
        `Set DATA_DIR to a new folder for your feeds, or clear the sample: ${installedCommand('sample:clear')}.`,
      ),
    ];
  }
  if (mode !== 'production') return [];
  return [
    warn(
      'The inventory is invented, and this is production.',
      'Set SAMPLE_INVENTORY=off and import your feeds.',
    ),
  ];
}

function checkImport(
  { provider, last }: StoreFacts['imports'][number],
  feeds: StoreFacts['feeds'],
  { sampleInventory }: Config,
  now: number,
): Finding {
  const summary = `The feed of ${provider} was last imported at ${last.at}: ${last.packages} packages, ${last.refused} rows refused.`;
  if (sampleInventory) {
    return bad(
      `The store holds the feed of ${provider}, but SAMPLE_INVENTORY is on: the server will not start.`,
      'Set SAMPLE_INVENTORY=off. Feeds and the sample cannot be mixed.',
    );
  }
  const known = feeds.find((one) => one.provider === provider)?.lateAt;
  if (now <= (known ?? Date.parse(last.at) + STALE_FEED_MS)) return ok(summary);
  return warn(
    `${summary} It is late.`,
    `Import it again (${installedCommand('feed')}). Prices that are days old mislead visitors.`,
  );
}

/** Reports a provider's held feed, its failures since the last good one, and if nothing of it is on sale. */
function checkFeed({ provider, feed, isListed, isEmpty }: StoreFacts['feeds'][number]): Finding[] {
  const findings: Finding[] = [];
  const { held = null, failures: [last] = [] } = feed ?? {};
  if (isListed && isEmpty) {
    findings.push(
      warn(`Nothing of ${provider} is on sale.`, `See ${installedCommand('feed', `show ${provider}`)}.`),
    );
  }
  if (held !== null) {
    findings.push(
      warn(
        `A feed of ${provider} has been held since ${new Date(held.startedAt).toISOString()}: ${held.message}.`,
        `Review with ${installedCommand('feed', `show ${provider}`)}, then accept ${provider} or discard ${provider}.`,
      ),
    );
  }
  if (last !== undefined) {
    findings.push(
      warn(
        `The last import of ${provider} failed at ${new Date(last.startedAt).toISOString()}: ${last.message}.`,
        `Try it with ${installedCommand('feed', `check ${provider}`)}.`,
      ),
    );
  }
  return findings;
}

function checkPriceModels({ priceModels, offers }: StoreFacts, now: number): Finding[] {
  if (offers === 0) return [];
  if (priceModels === null) {
    return [
      warn('There are no price models yet.', 'Keep the server running. It trains them after the first load.'),
    ];
  }
  const days = dayNumber(todayInLondon(now)) - priceModels.trainedDay;
  const age = `The price models were trained on ${fromDayNumber(priceModels.trainedDay)}.`;
  if (days <= STALE_MODEL_DAYS) return [ok(age)];
  return [warn(age, 'Keep the server running. It retrains them daily, and logs why if it cannot.')];
}

async function checkAlertsKey(
  database: SqlDatabase,
  { secret }: AlertsConfig,
  store: StoreAddress,
): Promise<Finding> {
  const path = store.kind === 'embedded' ? join(store.dataDir, ALERTS_KEY_FILE) : null;
  const bytes =
    secret === null && path !== null ? statSync(path, { throwIfNoEntry: false })?.size : undefined;
  if (bytes !== undefined && bytes !== KEY_BYTES) {
    return bad(
      `${path} is not a valid key: it has ${bytes} bytes.`,
      `Restore the original key of ${KEY_BYTES} bytes.`,
    );
  }
  switch (await alertsKeyState(database, secret, store)) {
    case 'unused':
      return ok('Price alerts have not been used yet.');
    case 'fits':
      return ok(
        'The key of the price alerts matches the store. Keep a copy of it, separate from your backups.',
      );
    case 'missing':
    case 'another':
      return bad(
        'The key of the price alerts does not match the store.',
        `${path === null ? 'Set ALERTS_KEY to the original key' : `Restore ${path}, or set ALERTS_KEY to the original key`}: without it, no phone number can be read.`,
      );
  }
}

async function checkMessages(database: SqlDatabase, now: number): Promise<Finding> {
  // Any key will do, because counting decrypts nothing.
  const store = alertStore(database, alertKeys(new Uint8Array(KEY_BYTES)));
  const { due, oldestDueSeconds, messages, sending } = await alertMetrics(store, now);
  if (sending.isPaused) {
    return warn(
      `Sending is paused: ${sending.reason ?? 'no reason known'}.`,
      `See ${installedCommand('alerts', 'status')}. ${installedCommand('alerts', 'resume')} retries immediately.`,
    );
  }
  if (due > 0 && oldestDueSeconds > STUCK_AFTER_SECONDS) {
    return warn(
      `${due} messages are waiting to be sent, the oldest for ${Math.round(oldestDueSeconds / 60)} minutes.`,
      `Check that the server is running. ${installedCommand('alerts', 'status')} shows the provider's responses.`,
    );
  }
  const unknown = messages.unknown ?? 0;
  return ok(`No message is stuck${unknown > 0 ? `; the outcome of ${unknown} is unknown` : ''}.`);
}
