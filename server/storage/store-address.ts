export type StoreAddress = EmbeddedAddress | PostgresAddress;

/** A file in a data folder. Only one server uses it. */
export interface EmbeddedAddress {
  kind: 'embedded';
  dataDir: string;
}

/** A PostgreSQL database that any number of servers share. Never log its URLs, which contain passwords. */
export interface PostgresAddress {
  kind: 'postgresql';
  url: string;
  /** Streaming replicas, which run the searches. */
  readUrls: readonly string[];
  /** Shared by a server's threads; see `UnreachableDays`. If omitted, every day counts as reachable. */
  unreachableDays?: SharedArrayBuffer;
}

/** The embedded store of a data folder. */
export function embeddedStore(dataDir: string): EmbeddedAddress {
  return { kind: 'embedded', dataDir };
}
