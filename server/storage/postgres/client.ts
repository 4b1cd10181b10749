import pg from 'pg';

/** How long connecting may take, in milliseconds. */
const CONNECT_TIMEOUT = 3_000;

/** PostgreSQL settings by name, for one connection. */
export type ServerSettings = Readonly<Record<string, string>>;

/**
 * All statements look rows up by a key or walk a whole table, and their plans are kept. A plan that was made while a
 * table was empty would otherwise scan the whole table once it is full.
 */
const PLANNER_SETTINGS: ServerSettings = {
  jit: 'off',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/**
 * A database or a role may have other values of these: floating-point numbers with all their digits, a writer that sees
 * what was committed while it waited for its lock, and no limit on an import's statements.
 */
const NEEDED_SETTINGS: ServerSettings = {
  extra_float_digits: '1',
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
};

// Counts and instants are far below 2^53, sums of prices too.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** The configuration of a connection. Options in the address are kept. */
export function connectionTo(url: string, settings: ServerSettings): pg.ClientConfig {
  const address = new URL(url);
  const own = address.searchParams.get('options');
  address.searchParams.delete('options');
  const all = Object.entries({ ...PLANNER_SETTINGS, ...NEEDED_SETTINGS, ...settings }).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`,
  );
  return {
    connectionString: address.href,
    options: [...(own === null ? [] : [own]), ...all].join(' '),
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    application_name: 'skylark',
  };
}

/** Replaces each `?` by PostgreSQL's `$1`, `$2` and so on. No statement has a `?` in a string literal. */
export function numbered(sql: string): string {
  let last = 0;
  return sql.replaceAll('?', () => {
    last += 1;
    return `$${last}`;
  });
}
