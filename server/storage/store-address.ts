/** Where the store is: what every thread, script and test opens it by. */
export type StoreAddress = EmbeddedAddress | PostgresAddress;

/** A file of a data folder. One server has it. */
export interface EmbeddedAddress {
  kind: 'embedded';
  dataDir: string;
}

/** A PostgreSQL that any number of servers share. The addresses have passwords in them: never log one. */
export interface PostgresAddress {
  kind: 'postgresql';
  url: string;
  /** Streaming replicas, which searches go to. */
  readUrls: readonly string[];
}

/** The embedded store of a data folder. */
export function embeddedStore(dataDir: string): EmbeddedAddress {
  return { kind: 'embedded', dataDir };
}
