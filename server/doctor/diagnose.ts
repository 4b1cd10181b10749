import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, findingsOf } from '../conditions/condition.ts';
import { SERVER_CONDITIONS } from '../conditions/server-conditions.ts';
import { QUIET_SERVER, type ServerView } from '../conditions/server-view.ts';
import { SETTINGS_INVALID } from '../conditions/settings-invalid.ts';
import { nearestExisting } from '../conditions/setup/data-folder.ts';
import type { DoctorEnvironment, DoctorView } from '../conditions/setup/doctor-view.ts';
import {
  CONTENT_CONDITIONS,
  FOLDER_CONDITIONS,
  SETUP_CONDITIONS,
  STORE_FAULTS,
} from '../conditions/setup/setup-conditions.ts';
import { STORE_CONDITIONS } from '../conditions/store-conditions.ts';
import { STORE_DOWN } from '../conditions/store-down.ts';
import { storeView } from '../conditions/store-view.ts';
import { readUnfinishedWork } from '../ingest/complete-store.ts';
import { errorMessage } from '../lib/error-message.ts';
import { readSettings } from '../settings.ts';
import { SCHEMA_VERSION } from '../storage/migrate.ts';
import { readNote } from '../storage/notes.ts';
import { openDatabaseForReading } from '../storage/open/database.ts';
import { checkServers } from '../storage/postgres/check-server.ts';

/** Checks everything that Skylark needs to start and run. Changes nothing. */
export async function diagnose(environment: DoctorEnvironment): Promise<Finding[]> {
  const { now, folders } = environment;
  const read = readSettings(environment.variables);
  if (read.kind === 'refused') return findingsOf([SETTINGS_INVALID], { settingsFault: read.message });
  const { config, feeds } = read.settings;
  const servers = config.store.kind === 'postgresql' ? await checkServers(config.store) : null;
  const view: DoctorView = { ...environment, ...read.settings, servers };
  // With PostgreSQL, imports keep temporary files in the data folder.
  const usesFolder = servers === null || feeds.providers.providers.length > 0;
  const server: ServerView = {
    ...QUIET_SERVER,
    now,
    hasPage: existsSync(join(folders.page, 'index.html')),
    freeBytes: usesFolder ? environment.freeBytes(nearestExisting(feeds.dataDir)) : null,
    servers: servers?.replicas ?? [],
    charges: feeds.charges,
  };
  const inStore = await findingsOf(STORE_FAULTS, view);
  const isOld = (servers?.primary.version ?? SCHEMA_VERSION) < SCHEMA_VERSION;
  const isReadable = !isOld && inStore.every(({ level }) => level === 'ok');
  return [
    ...(await findingsOf(SETUP_CONDITIONS, view)),
    ...(usesFolder ? await findingsOf(FOLDER_CONDITIONS, view) : []),
    ...inStore,
    ...(isReadable ? await diagnoseContents(view, server) : await findingsOf(SERVER_CONDITIONS, server)),
  ];
}

async function diagnoseContents(view: DoctorView, server: ServerView): Promise<Finding[]> {
  const { config, feeds, notices, now } = view;
  const { exists, providers } = feeds.providers;
  const sources = { now, feedLateMs: notices.feedLateMs, providers: exists ? providers : null };
  try {
    await using database = openDatabaseForReading(config.store);
    const store = await storeView(database, sources);
    const unfinished = await readUnfinishedWork((name) => readNote(database, name));
    return [
      ...(await findingsOf(SERVER_CONDITIONS, { ...server, unfinished })),
      ...(await findingsOf(STORE_CONDITIONS, store)),
      ...(await findingsOf(CONTENT_CONDITIONS, { ...view, ...store })),
    ];
  } catch (error) {
    return findingsOf([STORE_DOWN], { storeFault: errorMessage(error) });
  }
}

/** Writes the findings as lines. The worst comes last, just above the prompt. */
export function describeFindings(findings: readonly Pick<Finding, 'level' | 'summary' | 'remedy'>[]): string {
  const order = { ok: 0, warn: 1, bad: 2 };
  return findings
    .toSorted((one, other) => order[one.level] - order[other.level])
    .map(
      ({ level, summary, remedy }) =>
        `${level.padEnd(5)} ${summary}${remedy === null ? '' : `\n      ${remedy}`}`,
    )
    .join('\n');
}

/** 1 if something is bad; 3 if `isStrict` and there are warnings; else 0. */
export function exitCodeOf(findings: readonly Pick<Finding, 'level'>[], isStrict: boolean): 0 | 1 | 3 {
  if (findings.some(({ level }) => level === 'bad')) return 1;
  return isStrict && findings.some(({ level }) => level === 'warn') ? 3 : 0;
}
