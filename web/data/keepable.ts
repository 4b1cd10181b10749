/** The caches that hold queries' data for use offline. */
export type OfflineCache = 'skylark-responses' | 'skylark-shortlist';

/** Data that this device may have kept. */
export interface Keepable {
  /** When this device kept the data, in epoch ms. Only if the service could not be reached. */
  keptAt?: number | undefined;
}
