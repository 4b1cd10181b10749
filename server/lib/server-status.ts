/** Where the server is in its life. Main keeps it; the app reads it. */
export interface ServerStatus {
  /** Told to stop: what is accepted is finished, and nobody should send more. */
  isStopping: boolean;
}

/** How the inventory is, as `/healthz` tells it. Main keeps it; the app reads it. */
export interface InventoryStatus {
  loading: boolean;
  /** The last departure day (YYYY-MM-DD) that is on sale, or null where nothing is known of it. */
  throughDay: string | null;
  /** Offers that the store holds, as last counted; null until it has been. */
  offers: number | null;
}
