import pg from 'pg';

/** How long a server may take to answer the door, in milliseconds. */
const CONNECT_TIMEOUT = 3_000;

/** The server's own settings, by their names, for one connection. */
export type ServerSettings = Readonly<Record<string, string>>;

/**
 * Every statement of ours looks rows up by a key or walks a whole table, and plans are kept: one that was made while
 * a table was still empty would read all of it for ever after, once it is full.
 */
const LOOK_UPS: ServerSettings = {
  jit: 'off',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

// Counts and instants are far below 2^53, sums of prices too.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** What a connection of ours is opened with; options that the address has itself stay. */
export function connectionTo(url: string, settings: ServerSettings): pg.ClientConfig {
  const address = new URL(url);
  const own = address.searchParams.get('options');
  address.searchParams.delete('options');
  const all = Object.entries({ ...LOOK_UPS, ...settings }).map(([name, value]) => `-c ${name}=${value}`);
  return {
    connectionString: address.href,
    options: [...(own === null ? [] : [own]), ...all].join(' '),
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    application_name: 'skylark',
  };
}

/** A statement's `?`, numbered as PostgreSQL wants them. No statement of ours has one in a text. */
export function numbered(sql: string): string {
  let last = 0;
  return sql.replaceAll('?', () => {
    last += 1;
    return `$${last}`;
  });
}
