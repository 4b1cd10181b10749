import type { PriceRunTable } from '../inventory/tables/price-runs.ts';
import { HISTORY_KEY_COLUMNS } from './history-key.ts';

/** The table of runs that have ended; see `price-runs.ts`. */
export const PRICE_RUNS: PriceRunTable = { table: 'price_observation', keyColumns: HISTORY_KEY_COLUMNS };

/** The price history's columns that refer to dictionaries. */
export const HISTORY_REFERENCES = {
  room: [['price_observation', 'room']],
  hotel: [
    ['price_path', 'hotel'],
    ['price_observation', 'hotel'],
  ],
} as const;
