/** Where the store is. Threads, scripts and tests open it by this address. */
export type StoreAddress = EmbeddedAddress | PostgresAddress;

/** A file in a data folder, used by one server. */
export interface EmbeddedAddress {
  kind: 'embedded';
  dataDir: string;
}

/** A PostgreSQL database, shared by any number of servers. The addresses contain passwords: never log them. */
export interface PostgresAddress {
  kind: 'postgresql';
  url: string;
  /** Streaming replicas, which answer the searches. */
  readUrls: readonly string[];
  /** Shared by the threads of a server; see `UnreachableDays`. Omitted: nobody looks which days can be read. */
  unreachableDays?: SharedArrayBuffer;
}

/** The embedded store of a data folder. */
export function embeddedStore(dataDir: string): EmbeddedAddress {
  return { kind: 'embedded', dataDir };
}
