import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const COMMAND = join(import.meta.dirname, '../cli/feed.ts');

export type FeedAct = 'accept' | 'discard';

export type ActOnFeed = (act: FeedAct, provider: string) => Promise<{ exit: number | null; said: string }>;

/** Runs the command that operators run, as a process of its own: an import may take minutes. */
export const actOnFeed: ActOnFeed = async (act, provider) => {
  const child = spawn(process.execPath, [COMMAND, act, provider], { stdio: ['ignore', 'pipe', 'ignore'] });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [code, said] = await Promise.all([exit, text(child.stdout)]);
  return { exit: code, said: said.trim().replaceAll(/\s*\n\s*/g, ' ') };
};
