import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** What a command printed, and its exit code. */
export interface Ended {
  exit: number | null;
  said: string;
}

/** Runs `feed`, and returns its output as one line. */
export async function spawnFeedCommand(words: readonly string[], signal?: AbortSignal): Promise<Ended> {
  const { exit, said } = await spawnCommand('feed', words, { signal });
  return { exit, said: said.trim().replaceAll(/\s*\n\s*/g, ' ') };
}

/** Runs a command that operators run, as a process of its own: an import may take minutes. */
export async function spawnCommand(
  name: 'feed' | 'notices',
  words: readonly string[],
  { signal, variables = {} }: { signal?: AbortSignal | undefined; variables?: Record<string, string> } = {},
): Promise<Ended> {
  // Names the server's own store, so that the command does not look for an installed server's.
  const env = { ...process.env, DATA_DIR: process.env.DATA_DIR || './data', ...variables };
  const child = spawn(process.execPath, [join(import.meta.dirname, `../cli/${name}.ts`), ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
    signal,
    env,
  });
  const ended = new Promise<number | null>((settle, fail) => child.once('error', fail).once('close', settle));
  const [exit, said] = await Promise.all([ended, text(child.stdout)]);
  return { exit, said };
}
