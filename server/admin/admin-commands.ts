import { type Ended, spawnCommand, spawnFeedCommand } from '../feed/spawn-feed-command.ts';

export const FEED_ACTS = ['accept', 'discard', 'run', 'rollback'] as const;

export type FeedAct = (typeof FEED_ACTS)[number];

/** The commands that /admin runs for operators. */
export interface AdminCommands {
  actOnFeed(act: FeedAct, provider: string): Promise<Ended>;
  /** Checks the feed of a provider in another `providers.json`. Changes nothing. */
  checkFeed(provider: string, providersFile: string): Promise<Ended>;
  testNotice(): Promise<Ended>;
  /** Sends no notice about a problem until a day. */
  silence(problem: string, until: string): Promise<Ended>;
}

export const ADMIN_COMMANDS: AdminCommands = {
  actOnFeed: (act, provider) => spawnFeedCommand([act, provider, '--yes']),
  checkFeed: (provider, file) =>
    spawnCommand('feed', ['check', provider], { variables: { PROVIDERS_FILE: file } }),
  testNotice: () => spawnCommand('notices', ['test']),
  silence: (problem, until) => spawnCommand('notices', ['silence', problem, until]),
};
