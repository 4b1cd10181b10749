/** The note that says which sample market a store holds; none: it holds none. */
export const MARKET_NOTE = 'sample.market';
