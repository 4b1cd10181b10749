/** The name of the note that identifies the store's sample market. */
export const SAMPLE_MARKET_NOTE = 'sample.market';

/** A note that changes with every import and removal of feeds; absent without feeds. */
export const FEEDS_NOTE = 'feed.latest';

/** The note with the table of local charges as JSON, so that all processes add the same charges. */
export const CHARGES_NOTE = 'local_charges';

/**
 * The note that is 'yes' once every offer has the charges of the store's table. Before, the first departure day whose
 * offers may have earlier ones.
 */
export const CHARGES_APPLIED = 'local_charges.applied';

/** The note with the groups of hotel records that are one hotel, as JSON of their ids (`noteSameHotels`). */
export const SAME_HOTELS_NOTE = 'same_hotels';

/** The prefix of the notes with providers' standings, by code. A provider without one is in good standing. */
export const STANDING_NOTE = 'price_standing.';

/** The prefix of the notes with the minute at which an operator lifted a provider's standing, by code. */
export const LIFTED_NOTE = 'price_lifted.';

/** The note with the newest root of the price record; missing before its first day. */
export const PRICE_RECORD_ROOT = 'price_record.root';

/** The note with how waiting a week turned out, by kind of price, as JSON; null if advice is off. */
export const PRICE_RECORD_WAITS = 'price_record.waits';

/** The note with how the price record's ranges held, by resort (`coverageByResort`). */
export const PRICE_RECORD_PLACES = 'price_record.places';
