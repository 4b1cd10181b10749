import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');

export interface BenchServer {
  address: string;
  stop(): Promise<void>;
}

/** Starts the real server on a free port over a data folder that is loaded already. */
export function startServer(dataDir: string): Promise<BenchServer> {
  return startProgram(['server/main.ts'], { PORT: '0', DATA_DIR: dataDir, SAMPLE_INVENTORY: 'off' });
}

/** Starts a program that says where it is, as the server does. */
export async function startProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<BenchServer> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  lines.on('line', (line) => {
    const address = /^Skylark is at (http:\S+)$/.exec(line)?.[1];
    if (address !== undefined) resolve(address);
  });
  child.on('exit', (code) => reject(new Error(`The server ended with code ${code} before it was ready`)));
  return {
    address: await promise,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** The processor time that a server has used so far, in seconds, by its own metrics. */
export async function cpuSecondsOf({ address }: BenchServer): Promise<number> {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1]);
}
