import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dayNumber, fromDayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import type { AlertsConfig } from '../alerts/alerts-config.ts';
import { ALERTS_KEY_FILE, alertKeys } from '../alerts/records/alert-keys.ts';
import { alertStore } from '../alerts/records/alert-store.ts';
import { alertMetrics } from '../alerts/status/alert-metrics.ts';
import { alertsKeyState } from '../alerts/status/alerts-key-state.ts';
import { checkStoreFile } from '../backup/check-store-file.ts';
import type { Config } from '../config.ts';
import { SAMPLE_MARKET_NOTE } from '../inventory/inventory-notes.ts';
import { errorMessage } from '../lib/error-message.ts';
import { readStoreFacts, type StoreFacts } from '../metrics/read-store-facts.ts';
import { knownSchemaVersion, schemaVersion } from '../storage/migrate.ts';
import { readNote } from '../storage/notes.ts';
import { databasePath, openDatabaseForReading } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { PostgresAddress, StoreAddress } from '../storage/store-address.ts';
import { checkTokenKey } from './check-shared-keys.ts';
import type { DoctorEnvironment } from './environment.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** A key of the alerts has so many bytes. */
const KEY_BYTES = 32;

/** A message that has waited longer, in seconds, is stuck; the quiet hours do not make it due. */
const STUCK_AFTER_SECONDS = 900;

/** A feed that was taken longer ago, in milliseconds, has missed a day. */
const STALE_FEED_MS = 2 * 24 * 60 * 60 * 1_000;

/** Models older than this, in days, are no longer made anew. */
const STALE_MODEL_DAYS = 3;

const RESTORE = 'Stop the server, and put a backup in its place: npm run restore -- <file>.';

/** The store: whether it is whole, what it has on sale, and whether the alerts can go on. */
export function checkStore(environment: DoctorEnvironment, config: Config, alerts: AlertsConfig): Finding[] {
  const { store } = config;
  return store.kind === 'embedded'
    ? checkEmbeddedStore(environment, config, alerts, store.dataDir)
    : checkPostgres(environment, config, alerts, store);
}

function checkEmbeddedStore(
  environment: DoctorEnvironment,
  config: Config,
  alerts: AlertsConfig,
  dataDir: string,
): Finding[] {
  const file = databasePath(dataDir);
  if (!existsSync(file)) return [ok('There is no store yet: the first start makes it.')];
  const checked = checkStoreFile(file);
  if (checked.kind === 'refused')
    return [bad(`The store ${file} cannot be used: ${checked.message}.`, RESTORE)];
  return [
    ok(`The store is whole: schema ${checked.version}.`),
    ...checkContents(environment, config, alerts),
  ];
}

function checkPostgres(
  environment: DoctorEnvironment,
  config: Config,
  alerts: AlertsConfig,
  store: PostgresAddress,
): Finding[] {
  const primary = versionAt({ ...store, readUrls: [] });
  if (primary.kind === 'silent') {
    return [
      bad(
        `The PostgreSQL of DATABASE_URL does not answer: ${primary.words}.`,
        'See whether it runs, and whether the address, the user and the password are right.',
      ),
    ];
  }
  const known = knownSchemaVersion('postgresql');
  if (primary.version > known) {
    return [
      bad(
        `The PostgreSQL was written by a newer Skylark (schema ${primary.version}; this one knows ${known}).`,
        'Start the newer Skylark, or name another database in DATABASE_URL.',
      ),
    ];
  }
  if (primary.version < known) {
    return [
      ok(`The PostgreSQL answers; the next start brings it from schema ${primary.version} to ${known}.`),
    ];
  }
  const replicas = store.readUrls.map((url, at) => {
    const replica = versionAt({ kind: 'postgresql', url, readUrls: [] });
    const name = `Replica ${at + 1} of DATABASE_READ_URLS`;
    if (replica.kind === 'answers') return ok(`${name} answers.`);
    return warn(
      `${name} does not answer: ${replica.words}.`,
      'Searches go to the others; see whether it runs.',
    );
  });
  return [
    ok(`The PostgreSQL answers: schema ${primary.version}.`),
    ...replicas,
    ...checkContents(environment, config, alerts),
  ];
}

/** The schema's version at an address. Its failure is told without the address, which has a password in it. */
function versionAt(
  store: StoreAddress,
): { kind: 'answers'; version: number } | { kind: 'silent'; words: string } {
  try {
    const database = openDatabaseForReading(store);
    try {
      return { kind: 'answers', version: schemaVersion(database) };
    } finally {
      database.close();
    }
  } catch (error) {
    return { kind: 'silent', words: errorMessage(error) };
  }
}

function checkContents(environment: DoctorEnvironment, config: Config, alerts: AlertsConfig): Finding[] {
  const { store } = config;
  const database = openDatabaseForReading(store);
  try {
    const facts = readStoreFacts(database, store);
    return [
      checkOffers(facts, config, environment.now),
      ...checkSample(database, config),
      ...facts.imports.map((one) => checkImport(one, config, environment.now)),
      ...checkPriceModels(facts, environment.now),
      ...checkTokenKey(database, config),
      // Where a PostgreSQL's servers have none, that has been told already.
      ...(store.kind === 'postgresql' && alerts.secret === null
        ? []
        : [checkAlertsKey(database, alerts, store)]),
      checkMessages(database, environment.now),
    ];
  } catch (error) {
    return [
      bad(
        `The store cannot be read: ${errorMessage(error)}.`,
        'Start the server once: it brings the store up to date.',
      ),
    ];
  } finally {
    database.close();
  }
}

function checkOffers({ offers, lastDeparture }: StoreFacts, config: Config, now: number): Finding {
  const feed = config.sampleInventory
    ? 'Start the server: it loads the sample inventory behind the searches.'
    : 'Import a feed (npm run feed), or set SAMPLE_INVENTORY=on to try Skylark with an invented one.';
  if (offers === 0 || lastDeparture === null) return warn('There is nothing on sale.', feed);
  const last = fromDayNumber(lastDeparture);
  if (lastDeparture <= dayNumber(todayInLondon(now))) {
    return warn(`All ${offers} packages have departed, the last on ${last}.`, feed);
  }
  return ok(`${offers} packages are on sale, with departures until ${last}.`);
}

function checkSample(database: SqlDatabase, { sampleInventory, mode }: Config): Finding[] {
  if (!readNote(database, SAMPLE_MARKET_NOTE)) return [];
  if (!sampleInventory) {
    return [
      warn(
        'The store holds the sample inventory, and SAMPLE_INVENTORY is off: invented packages are shown as real ones.',
        'Name a new DATA_DIR for your feeds, or clear the sample: npm run sample:clear.',
      ),
    ];
  }
  if (mode !== 'production') return [];
  return [
    warn('This is production with an invented inventory.', 'Set SAMPLE_INVENTORY=off and import your feeds.'),
  ];
}

function checkImport(
  { provider, last }: StoreFacts['imports'][number],
  { sampleInventory }: Config,
  now: number,
): Finding {
  const what = `The feed of ${provider} was last taken on ${last.at}: ${last.packages} packages, ${last.refused} rows refused.`;
  if (sampleInventory) {
    return bad(
      `The store has the feed of ${provider}, and SAMPLE_INVENTORY is on: the server will not start.`,
      'Set SAMPLE_INVENTORY=off: feeds and the sample never mix.',
    );
  }
  if (now - Date.parse(last.at) <= STALE_FEED_MS) return ok(what);
  return warn(what, 'Import it again (npm run feed); prices that are days old mislead.');
}

function checkPriceModels({ priceModels, offers }: StoreFacts, now: number): Finding[] {
  if (offers === 0) return [];
  if (priceModels === null) {
    return [
      warn('There are no price models yet.', 'Leave the server running: it makes them after the first load.'),
    ];
  }
  const days = dayNumber(todayInLondon(now)) - priceModels.trainedDay;
  const age = `The price models are of ${fromDayNumber(priceModels.trainedDay)}.`;
  if (days <= STALE_MODEL_DAYS) return [ok(age)];
  return [warn(age, 'Is the server running? It makes them anew every day; its log says why it could not.')];
}

function checkAlertsKey(database: SqlDatabase, { secret }: AlertsConfig, store: StoreAddress): Finding {
  const path = store.kind === 'embedded' ? join(store.dataDir, ALERTS_KEY_FILE) : null;
  const bytes =
    secret === null && path !== null ? statSync(path, { throwIfNoEntry: false })?.size : undefined;
  if (bytes !== undefined && bytes !== KEY_BYTES) {
    return bad(
      `${path} is no key: it has ${bytes} bytes.`,
      `Put the key there as it was, ${KEY_BYTES} bytes.`,
    );
  }
  switch (alertsKeyState(database, secret, store)) {
    case 'unused':
      return ok('The price alerts have not been used.');
    case 'fits':
      return ok('The key of the price alerts fits the store. Keep a copy of it apart from your backups.');
    case 'missing':
    case 'another':
      return bad(
        'The key of the price alerts is not the one that the store was made with.',
        `${path === null ? 'Set ALERTS_KEY' : `Put ${path} back, or set ALERTS_KEY,`} as it was: no number can be read without it.`,
      );
  }
}

function checkMessages(database: SqlDatabase, now: number): Finding {
  // Counts need no key that fits.
  const store = alertStore(database, alertKeys(new Uint8Array(KEY_BYTES)));
  const { due, oldestDueSeconds, messages, sending } = alertMetrics(store, now);
  if (sending.isPaused) {
    return warn(
      `Sending is paused: ${sending.reason ?? 'no reason known'}.`,
      'npm run alerts -- status says more; npm run alerts -- resume tries at once.',
    );
  }
  if (due > 0 && oldestDueSeconds > STUCK_AFTER_SECONDS) {
    return warn(
      `${due} messages wait to be sent, the oldest for ${Math.round(oldestDueSeconds / 60)} minutes.`,
      'Is the server running? npm run alerts -- status says what the provider answers.',
    );
  }
  const unknown = messages.unknown ?? 0;
  return ok(`No message is stuck${unknown > 0 ? `; what came of ${unknown} is not known` : ''}.`);
}
