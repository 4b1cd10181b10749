import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../..');

/** A server that uses less processor time than this per second is idle. */
const IDLE_CPU_SECONDS = 0.08;

export interface BenchServer {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the server on a free port with a loaded data folder. */
export function startServer(dataDir: string): Promise<BenchServer> {
  return startSkylark({ DATA_DIR: dataDir });
}

/** Starts the server on a free port with other settings. */
export function startSkylark(settings: Readonly<Record<string, string>>): Promise<BenchServer> {
  return startProgram(['server/main.ts'], {
    PORT: '0',
    SAMPLE_INVENTORY: 'off',
    ...settings,
  });
}

/** Starts a program that prints its URL as the server does. */
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
    const url = /^\w+ is at (http:\S+)$/.exec(line)?.[1];
    if (url !== undefined) resolve(url);
  });
  child.on('exit', (code) => reject(new Error(`The server exited with code ${code} before it was ready`)));
  return {
    url: await promise,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Waits until a server has finished its start-up work, which should not be measured. */
export async function untilIdle(server: BenchServer): Promise<void> {
  for (;;) {
    const before = await cpuSecondsOf(server);
    await setTimeout(1_000);
    if ((await cpuSecondsOf(server)) - before < IDLE_CPU_SECONDS) return;
  }
}

/** The processor time that a server has used, in seconds, from its metrics. */
export async function cpuSecondsOf({ url }: BenchServer): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1]);
}
