import type { Variables } from '../../environment/read-environment.ts';
import type { Settings } from '../../settings.ts';
import type { CheckedServers } from '../../storage/postgres/check-server.ts';
import type { StoreView } from '../store-view.ts';

/** What the doctor reads from the machine and network. Tests replace it. */
export interface DoctorEnvironment {
  variables: Variables;
  /** Such as 24.21.0. */
  nodeVersion: string;
  folders: { page: string; lists: string };
  now: number;
  freeBytes(path: string): number;
  /** Writes and removes a small file in a folder. Throws if it cannot. */
  tryToWrite(folder: string): void;
  /** Requests a URL and returns the response's status. Rejects if there is no response. */
  reach(url: string): Promise<number>;
  /** Logs in to an SMTP server. Null if that works, else the server's refusal or 'no connection'. */
  logInTo(smtpUrl: string): Promise<string | null>;
}

/** What conditions of the installation are read from. */
export interface DoctorView extends DoctorEnvironment, Settings {
  /** Null: the store is embedded. */
  servers: CheckedServers | null;
}

/** As `DoctorView`, if the store can be read. */
export type DoctorStoreView = DoctorView & StoreView;
