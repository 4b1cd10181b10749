import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { dayNumber, fromDayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import { ALERTS_KEY_FILE, alertKeys } from '../alerts/alert-keys.ts';
import { alertMetrics } from '../alerts/alert-metrics.ts';
import { alertStore } from '../alerts/alert-store.ts';
import type { AlertsConfig } from '../alerts/alerts-config.ts';
import { alertsKeyState } from '../alerts/alerts-key-state.ts';
import { checkStoreFile } from '../backup/check-store-file.ts';
import type { Config } from '../config.ts';
import { readStoreFacts, type StoreFacts } from '../metrics/read-store-facts.ts';
import { SAMPLE_MARKET_NOTE } from '../sample/load-sample.ts';
import { databasePath, openDatabaseForReading } from '../storage/open-database.ts';
import { bad, type Finding, ok, warn } from './finding.ts';
import type { World } from './world.ts';

/** A key of the alerts has so many bytes. */
const KEY_BYTES = 32;

/** A message that has waited longer, in seconds, is stuck; the quiet hours do not make it due. */
const STUCK = 900;

/** Models older than this, in days, are no longer made anew. */
const OLD_MODELS = 3;

const RESTORE = 'Stop the server, and put a backup in its place: npm run restore -- <file>.';

/** The store: whether it is whole, what it has on sale, and whether the alerts can go on. */
export function lookAtStore(world: World, config: Config, alerts: AlertsConfig): Finding[] {
  const { dataDir } = config;
  const file = databasePath(dataDir);
  if (!existsSync(file)) return [ok('There is no store yet: the first start makes it.')];
  const checked = checkStoreFile(file);
  if (checked.kind === 'refused')
    return [bad(`The store ${file} cannot be used: ${checked.message}.`, RESTORE)];
  const database = openDatabaseForReading(dataDir);
  try {
    const facts = readStoreFacts(database, dataDir);
    return [
      ok(`The store is whole: schema ${checked.version}, ${(facts.bytes / 1e6).toFixed(0)} MB.`),
      lookAtOffers(facts, config, world.now),
      ...lookAtSample(database, config),
      ...lookAtModels(facts, world.now),
      lookAtKey(database, alerts, dataDir),
      lookAtMessages(database, world.now),
    ];
  } catch (error) {
    return [
      bad(
        `The store ${file} cannot be read: ${String(error)}.`,
        'Start the server once: it brings the store up to date.',
      ),
    ];
  } finally {
    database.close();
  }
}

function lookAtOffers({ offers, lastDeparture }: StoreFacts, config: Config, now: number): Finding {
  const feed = config.sampleInventory
    ? 'Start the server: it loads the sample inventory behind the searches.'
    : 'Import a feed, or set SAMPLE_INVENTORY=on to try Skylark with an invented one.';
  if (offers === 0 || lastDeparture === null) return warn('There is nothing on sale.', feed);
  const last = fromDayNumber(lastDeparture);
  if (lastDeparture <= dayNumber(todayInLondon(now))) {
    return warn(`All ${offers} packages have departed, the last on ${last}.`, feed);
  }
  return ok(`${offers} packages are on sale, with departures until ${last}.`);
}

function lookAtSample(database: DatabaseSync, { sampleInventory, mode }: Config): Finding[] {
  const note = database.prepare('select value from note where name = ?').get(SAMPLE_MARKET_NOTE)?.value;
  if (note === undefined || note === '') return [];
  if (!sampleInventory) {
    return [
      warn(
        'The store holds the sample inventory, and SAMPLE_INVENTORY is off: invented packages are shown as real ones.',
        'Name a new DATA_DIR for your feeds.',
      ),
    ];
  }
  if (mode !== 'production') return [];
  return [
    warn('This is production with an invented inventory.', 'Set SAMPLE_INVENTORY=off and import your feeds.'),
  ];
}

function lookAtModels({ priceModels, offers }: StoreFacts, now: number): Finding[] {
  if (offers === 0) return [];
  if (priceModels === null) {
    return [
      warn('There are no price models yet.', 'Leave the server running: it makes them after the first load.'),
    ];
  }
  const days = dayNumber(todayInLondon(now)) - priceModels.trainedDay;
  const age = `The price models are of ${fromDayNumber(priceModels.trainedDay)}.`;
  if (days <= OLD_MODELS) return [ok(age)];
  return [warn(age, 'Is the server running? It makes them anew every day; its log says why it could not.')];
}

function lookAtKey(database: DatabaseSync, { secret }: AlertsConfig, dataDir: string): Finding {
  const path = join(dataDir, ALERTS_KEY_FILE);
  const bytes = secret === null ? statSync(path, { throwIfNoEntry: false })?.size : undefined;
  if (bytes !== undefined && bytes !== KEY_BYTES) {
    return bad(
      `${path} is no key: it has ${bytes} bytes.`,
      `Put the key there as it was, ${KEY_BYTES} bytes.`,
    );
  }
  switch (alertsKeyState(database, secret, dataDir)) {
    case 'unused':
      return ok('The price alerts have not been used.');
    case 'fits':
      return ok('The key of the price alerts fits the store. Keep a copy of it apart from your backups.');
    case 'missing':
    case 'another':
      return bad(
        'The key of the price alerts is not the one that the store was made with.',
        `Put alerts.key into ${dataDir}, or set ALERTS_KEY, as it was: no number can be read without it.`,
      );
  }
}

function lookAtMessages(database: DatabaseSync, now: number): Finding {
  // Counts need no key that fits.
  const store = alertStore(database, alertKeys(new Uint8Array(KEY_BYTES)));
  const { due, oldestDueSeconds, messages, sending } = alertMetrics(store, now);
  if (sending.isPaused) {
    return warn(
      `Sending is paused: ${sending.reason ?? 'no reason known'}.`,
      'npm run alerts -- status says more; npm run alerts -- resume tries at once.',
    );
  }
  if (due > 0 && oldestDueSeconds > STUCK) {
    return warn(
      `${due} messages wait to be sent, the oldest for ${Math.round(oldestDueSeconds / 60)} minutes.`,
      'Is the server running? npm run alerts -- status says what the provider answers.',
    );
  }
  const unknown = messages.unknown ?? 0;
  return ok(`No message is stuck${unknown > 0 ? `; what came of ${unknown} is not known` : ''}.`);
}
