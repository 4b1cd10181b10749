/** Where the server is in its life. Main keeps it; the app reads it. */
export interface Lifecycle {
  /** Told to stop: what is accepted is finished, and nobody should send more. */
  isStopping: boolean;
}
