import type { Variables } from '../environment/read-environment.ts';

/** What the checks read from outside, so that tests can simulate problems. */
export interface DoctorEnvironment {
  variables: Variables;
  /** Such as 24.21.0. */
  nodeVersion: string;
  /** The built page, and the shipped lists. */
  folders: { page: string; lists: string };
  /** Milliseconds since 1970. */
  now: number;
  /** Free bytes on the disk of a path. */
  freeBytes(path: string): number;
  /** Writes a small file into a folder and removes it. Throws if it cannot. */
  tryToWrite(folder: string): void;
  /** Resolves with the status of the response, whatever it is. Rejects if there is no response. */
  reach(url: string): Promise<number>;
  /** Logs in to an SMTP server: null if it works, else its refusal, or 'no connection'. */
  logInTo(smtpUrl: string): Promise<string | null>;
}
