import pg from 'pg';

const CONNECT_TIMEOUT_MS = 3_000;

/** PostgreSQL settings by name, for one connection. */
export type ServerSettings = Readonly<Record<string, string>>;

/** Plans are cached: one made for an empty table must not scan it once it is full. */
const PLANNER_SETTINGS: ServerSettings = {
  jit: 'off',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/** Values that Skylark needs, because a database or a role may have others. */
const NEEDED_SETTINGS: ServerSettings = {
  application_name: 'skylark',
  extra_float_digits: '1',
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
};

/** The setting is missing on Windows and before version 14. */
const END_WITH_CLIENT = `do $$ begin
  perform set_config('client_connection_check_interval', '2000', false);
exception when invalid_parameter_value or undefined_object then null;
end $$`;

// Counts and instants are far below 2^53, sums of prices too.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** The configuration of a connection. Options in the address are kept. */
export function connectionTo(url: string): pg.ClientConfig {
  return { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true };
}

/** Opens a connection with these settings. A connection error rejects its queries and is not thrown. */
export async function openClient(
  url: string,
  settings: ServerSettings,
  config: pg.ClientConfig = {},
): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionTo(url), ...config });
  client.on('error', () => {});
  try {
    await client.connect();
    await applySettings(client, settings);
    return client;
  } catch (error) {
    dropClient(client);
    throw error;
  }
}

/** Closes a connection without a terminate message, which a server that hangs would not read. */
export function dropClient(client: pg.Client): void {
  client.connection.stream.destroy();
}

/**
 * Applies settings by statements, because poolers drop startup options. The server ends the statement of a closed connection
 * within about two seconds.
 */
export async function applySettings(client: pg.ClientBase, settings: ServerSettings): Promise<void> {
  const all = Object.entries({ ...PLANNER_SETTINGS, ...NEEDED_SETTINGS, ...settings });
  await client.query(
    'select set_config(setting ->> 0, setting ->> 1, false) from json_array_elements($1) as setting',
    [JSON.stringify(all)],
  );
  await client.query(END_WITH_CLIENT);
}

/** Replaces each `?` by PostgreSQL's `$1`, `$2` and so on. No statement has a `?` in a string literal. */
export function numbered(sql: string): string {
  let last = 0;
  return sql.replaceAll('?', () => {
    last += 1;
    return `$${last}`;
  });
}
