export type StoreAddress = EmbeddedAddress | PostgresAddress;

/** A file in a data folder, used by one server. */
export interface EmbeddedAddress {
  kind: 'embedded';
  dataDir: string;
}

/** A PostgreSQL database, shared by any number of servers. Never log the URLs: they contain passwords. */
export interface PostgresAddress {
  kind: 'postgresql';
  url: string;
  /** Streaming replicas, which answer the searches. */
  readUrls: readonly string[];
  /** Shared by the threads of a server; see `UnreachableDays`. Omitted: every day counts as readable. */
  unreachableDays?: SharedArrayBuffer;
}

/** The embedded store of a data folder. */
export function embeddedStore(dataDir: string): EmbeddedAddress {
  return { kind: 'embedded', dataDir };
}
