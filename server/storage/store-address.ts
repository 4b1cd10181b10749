/** Where the store is: what every thread, script and test opens it by. */
export interface StoreAddress {
  kind: 'embedded';
  dataDir: string;
}

/** The embedded store of a data folder. */
export function embeddedStore(dataDir: string): StoreAddress {
  return { kind: 'embedded', dataDir };
}
