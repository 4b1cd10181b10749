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
import { SAMPLE_MARKET_NOTE } from '../inventory/inventory-notes.ts';
import { errorMessage } from '../lib/error-message.ts';
import { readStoreFacts, type StoreFacts } from '../metrics/read-store-facts.ts';
import { checkCitus } from '../storage/citus/check.ts';
import { checkClock } from '../storage/clock-guard.ts';
import { SCHEMA_VERSION, schemaVersion } from '../storage/migrate.ts';
import { readNote } from '../storage/notes.ts';
import { databasePath, openDatabaseForReading } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { PostgresAddress, StoreAddress } from '../storage/store-address.ts';
import { checkPriceBlocks } from './check-price-blocks.ts';
import { checkRecords } from './check-records.ts';
import { checkTokenKey } from './check-shared-keys.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

const KEY_BYTES = 32;

/** A message that has been due for longer than this is stuck. In quiet hours, no message is due. */
const STUCK_AFTER_SECONDS = 900;

/** A feed whose last import is older than this has missed a day. */
const STALE_FEED_MS = 2 * 24 * 60 * 60 * 1_000;

/** If the price model is older than this, training has stopped. */
const STALE_MODEL_DAYS = 3;

const RESTORE = 'Stop the server and restore a backup: npm run restore -- <file>.';

/** The index of the price blocks, as named in the message of SQLite's integrity check. */
const PRICE_INDEX = 'price_block_prices';

const REBUILD =
  'Run npm run prices:rebuild, which rebuilds this index, then npm run doctor again. If it still reports damage, stop the server and restore a backup.';

/** Checks that the store is undamaged, has packages on sale, and can serve the alerts. */
export async function checkStore(now: number, config: Config, alerts: AlertsConfig): Promise<Finding[]> {
  if (config.store.kind === 'postgresql') return checkPostgres(now, config, alerts, config.store);
  const file = databasePath(config.store.dataDir);
  if (!existsSync(file)) return [ok('There is no store yet. The first start creates it.')];
  const checked = checkStoreFile(file);
  if (checked.kind === 'refused')
    return [
      bad(
        `The store ${file} cannot be used: ${checked.message}.`,
        checked.message.endsWith(PRICE_INDEX) ? REBUILD : RESTORE,
      ),
    ];
  const contents = await checkContents(now, config, alerts);
  return [ok(`The store is undamaged: schema ${checked.version}.`), ...contents];
}

async function checkPostgres(
  now: number,
  config: Config,
  alerts: AlertsConfig,
  store: PostgresAddress,
): Promise<Finding[]> {
  const primary = versionAt({ ...store, readUrls: [] });
  if (primary.kind === 'unavailable') {
    return [
      bad(
        `PostgreSQL at DATABASE_URL does not respond: ${primary.reason}.`,
        'Check that it is running, and that the URL, user and password are correct.',
      ),
    ];
  }
  if (primary.version > SCHEMA_VERSION) {
    return [
      bad(
        `The PostgreSQL was written by a newer Skylark (schema ${primary.version}; this one knows ${SCHEMA_VERSION}).`,
        'Start the newer Skylark, or set DATABASE_URL to another database.',
      ),
    ];
  }
  if (primary.version < SCHEMA_VERSION) {
    return [
      ok(
        `PostgreSQL responds. The next start upgrades it from schema ${primary.version} to ${SCHEMA_VERSION}.`,
      ),
    ];
  }
  const replicas = store.readUrls.map((url, at) => {
    const replica = versionAt({ kind: 'postgresql', url, readUrls: [] });
    const name = `Replica ${at + 1} of DATABASE_READ_URLS`;
    if (replica.kind === 'responds') return ok(`${name} responds.`);
    return warn(
      `${name} does not respond: ${replica.reason}.`,
      'Searches go to the others. Check that it is running.',
    );
  });
  return [
    ok(`PostgreSQL responds: schema ${primary.version}.`),
    ...replicas,
    ...(await checkContents(now, config, alerts)),
  ];
}

/** The schema version of a database. The error omits the URL, which contains a password. */
function versionAt(
  store: StoreAddress,
): { kind: 'responds'; version: number } | { kind: 'unavailable'; reason: string } {
  try {
    using database = openDatabaseForReading(store);
    return { kind: 'responds', version: schemaVersion(database) };
  } catch (error) {
    return { kind: 'unavailable', reason: errorMessage(error) };
  }
}

async function checkContents(now: number, config: Config, alerts: AlertsConfig): Promise<Finding[]> {
  const { store } = config;
  using database = openDatabaseForReading(store);
  try {
    const citus = store.kind === 'postgresql' ? await checkCitus(store.url) : [];
    if (citus.some(({ level }) => level === 'bad')) return citus;
    const facts = readStoreFacts(database, store);
    return [
      ...citus,
      checkOffers(facts, config, now),
      ...checkRecords(database, now),
      ...checkPriceBlocks(database, now),
      ...checkClockOfStore(database, now),
      ...checkSample(database, config),
      ...facts.imports.map((one) => checkImport(one, facts.feeds, config, now)),
      ...facts.feeds.flatMap(checkFeed),
      ...checkPriceModels(facts, now),
      ...checkTokenKey(database, config),
      // Another check reports that a PostgreSQL's key is missing.
      ...(store.kind === 'postgresql' && alerts.secret === null
        ? []
        : [checkAlertsKey(database, alerts, store)]),
      checkMessages(database, now),
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
    : 'Import a feed (npm run feed), or set SAMPLE_INVENTORY=on to try Skylark with an invented inventory.';
  if (offers === 0 || lastDeparture === null) return warn('There is nothing on sale.', feed);
  const last = fromDayNumber(lastDeparture);
  if (lastDeparture <= dayNumber(todayInLondon(now))) {
    return warn(`All ${offers} packages have departed, the last on ${last}.`, feed);
  }
  return ok(`${offers} packages are on sale, with departures until ${last}.`);
}

function checkClockOfStore(database: SqlDatabase, now: number): Finding[] {
  const verdict = checkClock(database, now);
  if (verdict.kind === 'right') return [];
  const last = new Date(verdict.last).toISOString();
  return [
    warn(
      `The clock of this machine says ${new Date(now).toISOString()}, but servers of this store last reported ${last}.`,
      'Check the clock. If it is right, clean-up resumes after a server has run for an hour.',
    ),
  ];
}

function checkSample(database: SqlDatabase, { sampleInventory, mode }: Config): Finding[] {
  if (!readNote(database, SAMPLE_MARKET_NOTE)) return [];
  if (!sampleInventory) {
    return [
      warn(
        'The store holds the sample inventory, but SAMPLE_INVENTORY is off: invented packages are shown as real ones.',
        'Set DATA_DIR to a new folder for your feeds, or clear the sample: npm run sample:clear.',
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
  const seenAt = feeds.find((one) => one.provider === provider)?.seenAt ?? Date.parse(last.at);
  if (now - seenAt <= STALE_FEED_MS) return ok(summary);
  return warn(summary, 'Import it again (npm run feed). Prices that are days old mislead visitors.');
}

/** Reports a provider's held feed, and its last import if that failed. */
function checkFeed({ provider, last, held }: StoreFacts['feeds'][number]): Finding[] {
  const findings: Finding[] = [];
  if (held !== null) {
    findings.push(
      warn(
        `A feed of ${provider} has been held since ${new Date(held.startedAt).toISOString()}: ${held.message}.`,
        `Review with npm run feed -- show ${provider}, then accept ${provider} or discard ${provider}.`,
      ),
    );
  }
  if (last.outcome === 'failed') {
    findings.push(
      warn(
        `The last import of ${provider} failed at ${new Date(last.startedAt).toISOString()}: ${last.message}.`,
        `Try it with npm run feed -- check ${provider}.`,
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

function checkAlertsKey(database: SqlDatabase, { secret }: AlertsConfig, store: StoreAddress): Finding {
  const path = store.kind === 'embedded' ? join(store.dataDir, ALERTS_KEY_FILE) : null;
  const bytes =
    secret === null && path !== null ? statSync(path, { throwIfNoEntry: false })?.size : undefined;
  if (bytes !== undefined && bytes !== KEY_BYTES) {
    return bad(
      `${path} is not a valid key: it has ${bytes} bytes.`,
      `Restore the original key of ${KEY_BYTES} bytes.`,
    );
  }
  switch (alertsKeyState(database, secret, store)) {
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

function checkMessages(database: SqlDatabase, now: number): Finding {
  // Any key will do, because counting decrypts nothing.
  const store = alertStore(database, alertKeys(new Uint8Array(KEY_BYTES)));
  const { due, oldestDueSeconds, messages, sending } = alertMetrics(store, now);
  if (sending.isPaused) {
    return warn(
      `Sending is paused: ${sending.reason ?? 'no reason known'}.`,
      'See npm run alerts -- status. npm run alerts -- resume retries immediately.',
    );
  }
  if (due > 0 && oldestDueSeconds > STUCK_AFTER_SECONDS) {
    return warn(
      `${due} messages are waiting to be sent, the oldest for ${Math.round(oldestDueSeconds / 60)} minutes.`,
      "Check that the server is running. npm run alerts -- status shows the provider's responses.",
    );
  }
  const unknown = messages.unknown ?? 0;
  return ok(`No message is stuck${unknown > 0 ? `; the outcome of ${unknown} is unknown` : ''}.`);
}
