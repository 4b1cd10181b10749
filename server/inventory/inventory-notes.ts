/** The note that says which sample market a store holds; none: it holds none. */
export const SAMPLE_MARKET_NOTE = 'sample.market';

/** The note of the latest import of any provider's feed, ISO 8601 in UTC; none: the store holds no feeds. */
export const FEEDS_NOTE = 'feed.latest';
