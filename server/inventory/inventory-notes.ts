/** The name of the note that identifies the store's sample market. */
export const SAMPLE_MARKET_NOTE = 'sample.market';

/** The note with the time of the latest feed import, in ISO 8601 and UTC; absent without feeds. */
export const FEEDS_NOTE = 'feed.latest';

/** The note with the table of local charges as JSON, so that all processes add the same charges. */
export const CHARGES_NOTE = 'local_charges';

/** The note with the groups of hotel records that are one hotel, as JSON of their ids (`noteSameHotels`). */
export const SAME_HOTELS_NOTE = 'same_hotels';

/** The prefix of the notes with providers' standings, by code. A provider without one is in good standing. */
export const STANDING_NOTE = 'price_standing.';
