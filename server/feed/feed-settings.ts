import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { namesIn, readBy, someText, type Variables } from '../environment/read-environment.ts';
import { setting, settingsSchema } from '../environment/schema.ts';
import { isListableHost } from './formats/feed-link.ts';
import { type ProvidersFile, readProviders } from './holiday-providers.ts';

/** The operator's settings for feeds. */
export interface FeedSettings {
  /** Holds reports, and feeds while they are imported. */
  dataDir: string;
  /** The hosts that feeds are fetched from. */
  hosts: readonly string[];
  providers: ProvidersFile;
}

const hostList = v.optional(
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
);

const environment = settingsSchema({
  dataDir: setting('DATA_DIR', someText('./data')),
  hosts: setting('FEED_HOSTS', hostList),
  providersFile: setting('PROVIDERS_FILE', v.optional(v.string())),
});

export const FEED_VARIABLES: readonly string[] = namesIn(environment);

/** Reads the settings of feeds, and the list of providers: `PROVIDERS_FILE`, or `providers.json` in the data folder. */
export function readFeedSettings(
  variables: Variables,
): { kind: 'settings'; settings: FeedSettings } | { kind: 'refused'; message: string } {
  const read = readBy(environment, variables);
  if (read.kind === 'refused') return read;
  const { dataDir, hosts = [], providersFile } = read.value;
  if (providersFile !== undefined && !existsSync(providersFile)) {
    return {
      kind: 'refused',
      message: `PROVIDERS_FILE is "${providersFile}", where there is no file: name the list of providers, or unset it and put providers.json into DATA_DIR.`,
    };
  }
  const providers = readProviders(providersFile ?? join(dataDir, 'providers.json'));
  if (providers.kind === 'refused') return providers;
  return { kind: 'settings', settings: { dataDir, hosts, providers: providers.file } };
}
