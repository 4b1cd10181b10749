import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A server in a process of its own. */
export interface StartedServer {
  address: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the real server on a free port over a data folder that is loaded already. */
export function startServer(dataDir: string): Promise<StartedServer> {
  return startSkylark({ DATA_DIR: dataDir });
}

/** The same over the store that the settings name. */
export function startSkylark(settings: Record<string, string>): Promise<StartedServer> {
  const main = join(import.meta.dirname, '../server/main.ts');
  return startProcess(main, { PORT: '0', SAMPLE_INVENTORY: 'off', ...settings });
}

/** Starts a script that says on a line of its own where it is. */
export async function startProcess(
  script: string,
  environment: Record<string, string>,
): Promise<StartedServer> {
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  lines.on('line', (line) => {
    const address = /^\w+ is at (http:\S+)$/.exec(line)?.[1];
    if (address !== undefined) resolve(address);
  });
  child.on('exit', (code) => reject(new Error(`The server ended with code ${code} before it was ready`)));
  return {
    address: await promise,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
