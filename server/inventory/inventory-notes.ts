/** The note with the sample market that a store holds. */
export const SAMPLE_MARKET_NOTE = 'sample.market';

/** The note with the time of the latest feed import, ISO 8601 in UTC. A store without feeds has none. */
export const FEEDS_NOTE = 'feed.latest';
