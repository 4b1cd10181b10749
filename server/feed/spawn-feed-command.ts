import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const COMMAND = join(import.meta.dirname, '../cli/feed.ts');

/** Runs the command that operators run, as a process of its own: an import may take minutes. */
export async function spawnFeedCommand(
  words: readonly string[],
  signal?: AbortSignal,
): Promise<{ exit: number | null; said: string }> {
  // Names the server's own store, so that the command does not look for an installed server's.
  const env = { ...process.env, DATA_DIR: process.env.DATA_DIR || './data' };
  const child = spawn(process.execPath, [COMMAND, ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
    signal,
    env,
  });
  const ended = new Promise<number | null>((settle, fail) => child.once('error', fail).once('close', settle));
  const [exit, said] = await Promise.all([ended, text(child.stdout)]);
  return { exit, said: said.trim().replaceAll(/\s*\n\s*/g, ' ') };
}
