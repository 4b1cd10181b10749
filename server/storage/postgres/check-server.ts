import type pg from 'pg';
import { SCHEMA_VERSION } from '../migrate.ts';
import type { PostgresAddress } from '../store-address.ts';
import { dropClient, openClient } from './client.ts';
import { isTransientFailure } from './failure.ts';
import { asUnusable, UnusableServer } from './unusable-server.ts';

/** What the server at an address is for. */
export interface ServerRole {
  url: string;
  /** The primary's address if this is a replica's. Null: this is the primary's. */
  replicaOf: string | null;
  /** Whether an older schema is accepted, because the caller upgrades it. */
  isUpgraded: boolean;
}

export interface CheckedServer {
  /** See `serverName`. */
  name: string;
  /** Null: the server can be used. */
  fault: UnusableServer | null;
  /** The version of the store's schema; null if it is unknown. */
  version: number | null;
}

export interface CheckedServers {
  primary: CheckedServer;
  replicas: readonly CheckedServer[];
}

const QUERY_TIMEOUT_MS = 5_000;

/** How long to wait for the primary while a replica's connection is checked. */
const PRIMARY_TIMEOUT_MS = 1_500;

const FACTS = `select current_setting('server_encoding') as encoding, pg_is_in_recovery() as "isReplica",
  (select oid::text from pg_database where datname = current_database()) as "database",
  to_regclass('schema_version') is not null as "hasSchema"`;

/** Each primary's identity when it was last read, by URL. */
const identities = new Map<string, string | null>();

/** Checks all servers of a store. */
export async function checkServers({ url, readUrls }: PostgresAddress): Promise<CheckedServers> {
  const check = async (at: number | null, role: ServerRole): Promise<CheckedServer> => {
    const name = serverName(at);
    try {
      const client = await openClient(role.url, {}, { query_timeout: QUERY_TIMEOUT_MS });
      try {
        return { name, fault: null, version: await requireUsable(client, role) };
      } finally {
        dropClient(client);
      }
    } catch (error) {
      return { name, fault: asUnusable(error, role.url), version: null };
    }
  };
  const [primary, ...replicas] = await Promise.all([
    check(null, { url, replicaOf: null, isUpgraded: true }),
    ...readUrls.map((one, at) => check(at, { url: one, replicaOf: url, isUpgraded: false })),
  ]);
  return { primary, replicas };
}

/** Whether a fault stays until an operator corrects it. */
export function isLasting({ cause }: UnusableServer): boolean {
  return cause === undefined || !isTransientFailure(cause);
}

/** An address for operators. `at` is its index in DATABASE_READ_URLS; null: DATABASE_URL. */
export function serverName(at: number | null): string {
  return at === null ? 'PostgreSQL at DATABASE_URL' : `Replica ${at + 1} of DATABASE_READ_URLS`;
}

/**
 * Returns the version of the store's schema. Throws `UnusableServer` if the encoding or the version is not what Skylark
 * needs, or if the server should be a replica of a primary but is not. While that primary does not respond, one of its
 * replicas may have been promoted.
 */
export async function requireUsable(
  client: pg.ClientBase,
  { url, replicaOf, isUpgraded }: ServerRole,
): Promise<number> {
  const { rows } = await client.query<{
    encoding: string;
    isReplica: boolean;
    database: string;
    hasSchema: boolean;
  }>(FACTS);
  const { encoding = '', isReplica = false, database = '', hasSchema = false } = rows[0] ?? {};
  if (encoding !== 'UTF8')
    throw new UnusableServer(
      `has a database with the encoding ${encoding}`,
      "Create another database with encoding 'UTF8'",
    );
  const identity = await readIdentity(client, database);
  if (replicaOf === null) identities.set(url, identity);
  else await requireReplicaOf(replicaOf, identity, isReplica);
  const version = hasSchema
    ? (await client.query<{ version: number }>('select version from schema_version')).rows[0]?.version
    : 0;
  requireVersion(version ?? 0, isUpgraded);
  return version ?? 0;
}

function requireVersion(version: number, isUpgraded: boolean): void {
  if (version > SCHEMA_VERSION)
    throw new UnusableServer(
      `has a store of schema version ${version}, but this Skylark only supports versions up to ${SCHEMA_VERSION}`,
      'Start the newer Skylark that wrote it, or name another database',
    );
  if (version < SCHEMA_VERSION && !isUpgraded)
    throw new UnusableServer(
      `has a store of schema version ${version}, but this Skylark needs ${SCHEMA_VERSION}`,
      'Wait until it has replayed the upgrade. If it is the primary, restart Skylark, which upgrades it',
    );
}

async function requireReplicaOf(
  primaryUrl: string,
  identity: string | null,
  isReplica: boolean,
): Promise<void> {
  const known = isReplica ? identities.get(primaryUrl) : undefined;
  const primary = known === undefined ? await askIdentity(primaryUrl) : known;
  if (primary === undefined) return;
  if (primary !== null && identity !== null && primary !== identity)
    throw new UnusableServer(
      'has another database than DATABASE_URL',
      'Name streaming replicas of that database, or remove the address',
    );
  if (!isReplica)
    throw new UnusableServer(
      'is not a replica, because it accepts writes',
      'Name streaming replicas of DATABASE_URL, or remove the address',
    );
}

/** The primary's identity; undefined while it does not respond. */
async function askIdentity(url: string): Promise<string | null | undefined> {
  const timeouts = { connectionTimeoutMillis: PRIMARY_TIMEOUT_MS, query_timeout: PRIMARY_TIMEOUT_MS };
  try {
    const client = await openClient(url, {}, timeouts);
    try {
      await requireUsable(client, { url, replicaOf: null, isUpgraded: true });
    } finally {
      dropClient(client);
    }
    return identities.get(url);
  } catch {
    return undefined;
  }
}

/** What streaming replicas share: the cluster's number and the database's. Null: this role must not read it. */
async function readIdentity(client: pg.ClientBase, database: string): Promise<string | null> {
  try {
    const { rows } = await client.query<{ cluster: string }>(
      'select system_identifier::text as cluster from pg_control_system()',
    );
    return `${rows[0]?.cluster} ${database}`;
  } catch {
    return null;
  }
}
