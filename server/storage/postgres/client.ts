import pg from 'pg';

const CONNECT_TIMEOUT_MS = 3_000;

/** PostgreSQL settings by name, for one connection. */
export type ServerSettings = Readonly<Record<string, string>>;

/** Plans are cached, so one made for an empty table must still be good when the table is full. */
const PLANNER_SETTINGS: ServerSettings = {
  jit: 'off',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Cursors are read to their end.
  cursor_tuple_fraction: '1',
};

/** Settings that Skylark needs. A database or role may have other defaults. */
const NEEDED_SETTINGS: ServerSettings = {
  application_name: 'skylark',
  extra_float_digits: '1',
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
};

/** Ends the statements of lost clients. Windows and versions before 14 do not have this setting. */
const END_WITH_CLIENT = `do $$ begin
  perform set_config('client_connection_check_interval', '2000', false);
exception when invalid_parameter_value or undefined_object then null;
end $$`;

// Counts, instants and sums of prices are far below 2^53, so they fit into a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** The configuration of a connection. Keeps the URL's options. */
export function connectionTo(url: string): pg.ClientConfig {
  return { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true };
}

/** Opens a connection with these settings. If the connection fails, its queries reject. */
export async function openClient(
  url: string,
  settings: ServerSettings,
  config: pg.ClientConfig = {},
): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionTo(url), ...config });
  client.on('error', () => {});
  try {
    await client.connect();
    await inTime(client, () => applySettings(client, settings));
    return client;
  } catch (error) {
    dropClient(client);
    throw error;
  }
}

/** Throws if a new connection must not be used. */
export type CheckClient = (client: pg.ClientBase) => Promise<unknown>;

export interface ConnectionPool extends pg.Pool {
  /** Drops all connections, even busy ones. */
  dropAll(): void;
}

/** A connection is replaced after this many uses, because the driver never forgets a statement's text. */
const MAX_USES = 20_000;

/** A pool whose connections have these settings. */
export function openPool(
  url: string,
  settings: ServerSettings,
  config: pg.PoolConfig,
  check: CheckClient = async () => {},
): ConnectionPool {
  const pool = new pg.Pool({
    ...connectionTo(url),
    maxUses: MAX_USES,
    ...config,
    async onConnect(client) {
      // Queries report their own errors. Without a listener, an 'error' event would crash the process.
      client.on('error', () => {});
      await inTime(client as pg.Client, async () => {
        await applySettings(client, settings);
        await check(client);
      });
    },
  });
  // The pool replaces an idle connection that breaks when it next needs one.
  pool.on('error', () => {});
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  return Object.assign(pool, {
    dropAll() {
      for (const client of clients) dropClient(client);
    },
  });
}

/** Drops a new connection if its server does not respond to the first statements. */
async function inTime(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => dropClient(client), CONNECT_TIMEOUT_MS);
  try {
    await work();
  } finally {
    clearTimeout(timer);
  }
}

/** Closes a connection without a terminate message, which a hanging server would not read. */
export function dropClient(client: pg.Client): void {
  client.connection.stream.destroy();
}

/**
 * Applies settings with statements, because poolers drop startup options. Also makes the server end the
 * statements of a lost client within about two seconds.
 */
async function applySettings(client: pg.ClientBase, settings: ServerSettings): Promise<void> {
  const all = Object.entries({ ...PLANNER_SETTINGS, ...NEEDED_SETTINGS, ...settings });
  await client.query(
    'select set_config(setting ->> 0, setting ->> 1, false) from json_array_elements($1) as setting',
    [JSON.stringify(all)],
  );
  await client.query(END_WITH_CLIENT);
}

/** Replaces each `?` by PostgreSQL's `$1`, `$2` and so on. String literals must not have `?`. */
export function numbered(sql: string): string {
  let last = 0;
  return sql.replaceAll('?', () => {
    last += 1;
    return `$${last}`;
  });
}
