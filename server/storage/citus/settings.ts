// Settings for Citus, on every connection because plain PostgreSQL ignores them. This file imports no others
// of this folder.

export const HAS_CITUS = `select 1 from pg_extension where extname = 'citus'`;

/**
 * Skylark does not replicate shards by statement, so Citus need not lock whole shards, which would deadlock
 * importers. A worker that takes over five seconds to connect counts as unavailable.
 */
export const CITUS_SETTINGS = {
  'citus.all_modifications_commutative': 'on',
  'citus.node_connection_timeout': '5000',
};

/** For searches. */
export const CITUS_SEARCHING = { 'citus.node_connection_timeout': '1500' };

/** For threads whose clients wait. Keeps no connections, because only new ones to a hanging worker fail soon. */
export const CITUS_INTERACTIVE = { ...CITUS_SEARCHING, 'citus.max_cached_conns_per_worker': '0' };
