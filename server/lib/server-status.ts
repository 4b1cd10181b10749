/** Written by main, read by the app. */
export interface ServerStatus {
  /** True after SIGTERM: accepted requests are finished, and load balancers should send no more. */
  isStopping: boolean;
}

/** The inventory as `/healthz` reports it. Written by main, read by the app. */
export interface InventoryStatus {
  loading: boolean;
  /** The last departure day on sale (YYYY-MM-DD); null if unknown. */
  throughDay: string | null;
  /** Offers in the store when last counted; null until then. */
  offers: number | null;
}
