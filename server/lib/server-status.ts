/** Written by main, read by the app. */
export interface ServerStatus {
  /** True after SIGTERM: the server only finishes accepted requests. */
  isStopping: boolean;
}

/** The inventory as `/healthz` reports it. */
export interface InventoryStatus {
  loading: boolean;
  /** The last departure day on sale (YYYY-MM-DD); null if unknown. */
  throughDay: string | null;
  /** Offers at the last count; null before. */
  offers: number | null;
}
