/** The note that names the store's sample market. */
export const SAMPLE_MARKET_NOTE = 'sample.market';

/** The note with the time of the latest feed import, ISO 8601 in UTC. Stores without feeds have none. */
export const FEEDS_NOTE = 'feed.latest';
