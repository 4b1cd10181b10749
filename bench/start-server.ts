import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Starts the real server on a free port over a data folder that is loaded already. */
export async function startServer(dataDir: string): Promise<{ address: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/main.ts')], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, SAMPLE_INVENTORY: 'off' },
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
