import type { Variables } from '../environment/read-environment.ts';

/** What the checks read from outside; tests replace it. */
export interface DoctorEnvironment {
  variables: Variables;
  /** Such as 24.21.0. */
  nodeVersion: string;
  folders: { page: string; lists: string };
  now: number;
  freeBytes(path: string): number;
  /** Writes and removes a small file in a folder. Throws if it cannot. */
  tryToWrite(folder: string): void;
  /** Resolves with the response's status. Rejects without a response. */
  reach(url: string): Promise<number>;
  /** Logs in to an SMTP server. Null if that works, else its refusal, or 'no connection'. */
  logInTo(smtpUrl: string): Promise<string | null>;
}
