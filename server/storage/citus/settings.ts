// Settings for Citus. Every connection has them, because plain PostgreSQL ignores them. It loads no other file of this folder.

export const HAS_CITUS = `select 1 from pg_extension where extname = 'citus'`;

/**
 * Skylark's shards are not replicated by statement, so Citus need not lock whole shards: importers would deadlock. A worker
 * is unavailable if connecting takes over five seconds.
 */
export const CITUS_SETTINGS = {
  'citus.all_modifications_commutative': 'on',
  'citus.node_connection_timeout': '5000',
};

/** For searches. */
export const CITUS_SEARCHING = { 'citus.node_connection_timeout': '1500' };

/** For interactive threads: a new connection to a hanging worker fails soon; a statement on a cached one would wait. */
export const CITUS_INTERACTIVE = { ...CITUS_SEARCHING, 'citus.max_cached_conns_per_worker': '0' };
