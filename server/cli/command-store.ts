import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { errorMessage } from '../lib/error-message.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { SCHEMA_VERSION, schemaVersion } from '../storage/migrate.ts';
import { databasePath, openDatabaseForReading } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { fail } from './command-output.ts';

/** The settings of an installed server (docs/operations.md). */
const INSTALLED = '/etc/skylark/environment';

/** The variables that choose a store. */
const STORE_VARIABLES = ['DATA_DIR', 'DATABASE_URL', 'DATABASE_URL_FILE'];

/**
 * Adds the settings of an installed server to the environment, unless the caller has chosen a store. Ends the
 * command if this user cannot read them: it would use another store than the server.
 */
export function loadInstalledSettings(variables = process.env, path = INSTALLED): void {
  if (STORE_VARIABLES.some((name) => variables[name]) || !existsSync(path)) return;
  try {
    Object.assign(variables, { ...parseEnv(readFileSync(path, 'utf8')), ...variables });
  } catch (error) {
    fail(
      `The settings of the installed server cannot be read: ${errorMessage(error)}. Run it as root, such as \`sudo skylark doctor\`, or set DATA_DIR to use another store.`,
    );
    process.exit();
  }
}

/** Prints which store a command uses. */
export function printStore(store: StoreAddress): void {
  console.error(`Store: ${nameOfStore(store)}`);
}

/**
 * Prints which store a command uses, and continues as its owner. Returns false, after saying why, if there is
 * no store of this version: the command must then neither create nor upgrade one.
 */
export async function requireStore(store: StoreAddress): Promise<boolean> {
  runAsOwner(store);
  printStore(store);
  const fault = await storeFault(store);
  if (fault !== null) fail(fault);
  return fault === null;
}

/** Names a store without its password. */
function nameOfStore(store: StoreAddress): string {
  if (store.kind === 'embedded') return databasePath(resolve(store.dataDir));
  const { hostname, port, pathname } = new URL(store.url);
  return `PostgreSQL database ${pathname.slice(1)} at ${hostname}${port === '' ? '' : `:${port}`}`;
}

async function storeFault(store: StoreAddress): Promise<string | null> {
  const [place, remedy] =
    store.kind === 'embedded'
      ? [`in ${resolve(store.dataDir)}`, "set DATA_DIR to the server's folder"]
      : ['in this database', "set DATABASE_URL to the server's database"];
  const missing = `There is no store ${place}: ${remedy}, or start the server once.`;
  if (store.kind === 'embedded' && !existsSync(databasePath(store.dataDir))) return missing;
  try {
    await using database = openDatabaseForReading(
      store.kind === 'embedded' ? store : { ...store, readUrls: [] },
    );
    const version = await schemaVersion(database);
    if (version === 0) return missing;
    return version === SCHEMA_VERSION
      ? null
      : 'The store was written by another version of Skylark: start the server of this version once.';
  } catch (error) {
    return `The store cannot be read: ${errorMessage(error)}. Check it with ${installedCommand('doctor')}.`;
  }
}

/**
 * If root runs a command, switches to the data folder's owner, so that it leaves no file that the server
 * cannot write. Call this after reading the settings, because root may own their secret files.
 */
export function runAsOwner(store: StoreAddress): void {
  if (store.kind !== 'embedded' || process.getuid?.() !== 0) return;
  const owner = statSync(store.dataDir, { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === 0) return;
  process.setgroups?.([owner.gid]);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
}
