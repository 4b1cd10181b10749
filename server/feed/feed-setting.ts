import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { namesIn, readBy, someText, type Variables } from '../environment/read-environment.ts';
import { isListableHost } from './formats/feed-link.ts';
import { type ProvidersFile, readProviders } from './provider-settings.ts';

/** What the operator sets for feeds. */
export interface FeedSetting {
  /** The folder of reports, and of feeds on their way into the store. */
  dataDir: string;
  /** The hosts that feeds are fetched from. */
  hosts: readonly string[];
  providers: ProvidersFile;
}

const environment = v.object({
  DATA_DIR: someText('./data'),
  FEED_HOSTS: v.optional(
    v.pipe(
      v.string(),
      v.transform((list) =>
        list
          .toLowerCase()
          .split(',')
          .map((host) => host.trim()),
      ),
      v.check(
        (hosts) => hosts.every(isListableHost),
        'host names such as feeds.sunward.example, with commas between',
      ),
    ),
  ),
  PROVIDERS_FILE: v.optional(v.string()),
});

export const FEED_VARIABLES: readonly string[] = namesIn(environment);

/** Reads the settings of feeds, and the list of providers: `PROVIDERS_FILE`, or `providers.json` in the data folder. */
export function readFeedSetting(
  variables: Variables,
): { kind: 'setting'; setting: FeedSetting } | { kind: 'refused'; message: string } {
  const read = readBy(environment, variables);
  if (read.kind === 'refused') return read;
  const { DATA_DIR: dataDir, FEED_HOSTS: hosts = [], PROVIDERS_FILE } = read.value;
  if (PROVIDERS_FILE !== undefined && !existsSync(PROVIDERS_FILE)) {
    return {
      kind: 'refused',
      message: `PROVIDERS_FILE is "${PROVIDERS_FILE}", where there is no file: name the list of providers, or unset it and put providers.json into DATA_DIR.`,
    };
  }
  const providers = readProviders(PROVIDERS_FILE ?? join(dataDir, 'providers.json'));
  if (providers.kind === 'refused') return providers;
  return { kind: 'setting', setting: { dataDir, hosts, providers: providers.file } };
}
