import type { Variables } from '../environment/read-environment.ts';

/** What the doctor looks at, so that a test can make troubles up. */
export interface DoctorEnvironment {
  variables: Variables;
  /** Such as 24.21.0. */
  nodeVersion: string;
  /** The built page, and the lists that are shipped. */
  folders: { page: string; lists: string };
  /** Milliseconds since 1970. */
  now: number;
  /** Bytes that are free where a path is. */
  freeBytes(path: string): number;
  /** Writes a little into a folder and removes it again; throws where that cannot be done. */
  tryToWrite(folder: string): void;
  /** Resolves with the status that an address answers, whatever it is; rejects where nobody answers. */
  reach(url: string): Promise<number>;
}
