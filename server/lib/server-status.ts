/** The server's state. `main` writes it, the app reads it. */
export interface ServerStatus {
  /** True after SIGTERM: the server only finishes requests that it has accepted. */
  isStopping: boolean;
}

/** The state of the inventory, for `/healthz`. */
export interface InventoryStatus {
  loading: boolean;
  /** The last departure day on sale (YYYY-MM-DD); null if unknown. */
  throughDay: string | null;
  /** The number of offers when they were last counted; null before the first count. */
  offers: number | null;
}
