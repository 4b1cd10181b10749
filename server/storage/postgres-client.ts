import pg from 'pg';

/** How long a server may take to answer the door, in milliseconds. */
const CONNECT_TIMEOUT = 3_000;

// Counts and instants are far below 2^53, sums of prices too.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** What every connection of ours is opened with. */
export function connectionTo(url: string): pg.ClientConfig {
  return {
    connectionString: url,
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
