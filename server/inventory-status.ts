/** How far the inventory's load has come, as `/healthz` tells it. Main keeps it; the app reads it. */
export interface InventoryStatus {
  loading: boolean;
  /** The last departure day (YYYY-MM-DD) that is loaded, or null where nothing is known of it. */
  throughDay: string | null;
  /** Offers that this load has written. */
  offers: number;
}
