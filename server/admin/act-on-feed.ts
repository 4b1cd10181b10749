import { spawnFeedCommand } from '../feed/spawn-feed-command.ts';

export type FeedAct = 'accept' | 'discard';

export type ActOnFeed = (act: FeedAct, provider: string) => Promise<{ exit: number | null; said: string }>;

export const actOnFeed: ActOnFeed = (act, provider) => spawnFeedCommand([act, provider, '--yes']);
