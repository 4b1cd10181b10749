import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Runs the command in a process of its own, because the simulation replaces what Node offers. */
export async function simulation(...options: string[]): Promise<{ exit: unknown; said: string }> {
  const run = join(import.meta.dirname, 'run.ts');
  const child = spawn(process.execPath, [run, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, [exit]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { exit, said };
}
