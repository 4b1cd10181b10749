// How a PostgreSQL with Citus is recognised, and the settings of connections that Citus reads. PostgreSQL itself accepts and
// ignores them, so that every connection has them. This is all of the folder that a plain PostgreSQL loads.

export const HAS_CITUS = `select 1 from pg_extension where extname = 'citus'`;

/**
 * Citus locks whole shards for updates of many shards, in case they are replicated by statement. Skylark's are not, and
 * importers would deadlock. A worker that cannot be connected to within five seconds is unavailable; the default is 30.
 */
export const CITUS_SETTINGS = {
  'citus.all_modifications_commutative': 'on',
  'citus.node_connection_timeout': '5000',
};

/** For searches. */
export const CITUS_SEARCHING = { 'citus.node_connection_timeout': '1500' };

/**
 * For threads that serve people. Citus connects to a worker for each transaction, and gives up soon: on a connection that
 * it kept, a statement for a worker that hangs would wait until the worker returns.
 */
export const CITUS_INTERACTIVE = { ...CITUS_SEARCHING, 'citus.max_cached_conns_per_worker': '0' };
