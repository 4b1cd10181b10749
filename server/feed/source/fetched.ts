export interface BlockFetch {
  /** Paths in the block start from it. */
  folder: string;
  /** Where to write the feed. */
  path: string;
  /** Hosts that the source may redirect to. */
  hosts: readonly string[];
  /** The version that need not be fetched again; null: fetch in any case. */
  known: string | null;
  onRead: (bytes: number, of: number | null) => void;
  pause?: ((ms: number) => Promise<unknown>) | undefined;
}

/** The version of what was fetched, opaque; null if the source has none. */
export type Fetched =
  | { kind: 'fetched'; version: string | null /** Null: unknown. */; modifiedAt: number | null }
  | { kind: 'unchanged' };
