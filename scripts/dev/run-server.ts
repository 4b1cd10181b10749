import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** Editors may save several files in a row, so a restart waits briefly for more changes. */
const DEBOUNCE_MS = 50;

/** How long a stop may take before the server is killed. Its store survives that. */
const MAX_STOP_MS = 500;

/** Halves the processor time of a start. */
const NODE_COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/node');

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

export interface ServerProcess {
  /** The URL of the running server, or of the next one during a restart. Rejects if the server has failed. */
  url: () => Promise<string>;
  restart: () => void;
  stop: () => Promise<void>;
}

/** Runs the server on a free port. Each restart replaces its process. */
export function runServer(root: string, log: (line: string) => void): ServerProcess {
  let current = startProcess(root);
  let timer: NodeJS.Timeout | undefined;
  let restarting: Promise<void> | null = null;
  let changedAgain = false;
  let isStopped = false;

  async function replace(): Promise<void> {
    do {
      changedAgain = false;
      log('Restarting the server ...');
      const from = performance.now();
      await endProcess(current.process);
      if (isStopped) return;
      current = startProcess(root);
      await current.url.then(
        () => log(`Server restarted in ${Math.round(performance.now() - from)} ms`),
        (error: unknown) => log(`${String(error)}. Waiting for a change.`),
      );
    } while (changedAgain && !isStopped);
  }

  return {
    async url() {
      await restarting;
      return current.url;
    },
    restart() {
      if (isStopped) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        changedAgain = true;
        restarting ??= replace().finally(() => {
          restarting = null;
        });
      }, DEBOUNCE_MS);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await endProcess(current.process);
      await restarting;
      await endProcess(current.process);
    },
  };
}

interface Running {
  process: ChildProcess;
  /** The server's URL. Rejects if the server exits before it listens. */
  url: Promise<string>;
}

function startProcess(root: string): Running {
  const started = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { LOG_LEVEL: 'warn', NODE_COMPILE_CACHE, ...process.env, PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Ends the server with this process, even if that is killed.
  const kill = () => void started.kill('SIGKILL');
  process.once('exit', kill);
  started.once('exit', () => process.off('exit', kill));

  const url = new Promise<string>((resolve, reject) => {
    let output = '';
    let isReady = false;
    started.stdout.on('data', (chunk: Buffer) => {
      if (isReady) {
        process.stdout.write(chunk);
        return;
      }
      output += chunk.toString();
      const found = ADDRESS.exec(output)?.[0];
      isReady = found !== undefined;
      if (found !== undefined) resolve(found);
    });
    started.once('error', reject);
    started.once('exit', (code) => reject(new Error(`The server exited with ${code ?? 'a signal'}`)));
  });
  // Ignored here, because the restart or request that waits for the server reports the failure.
  url.catch(() => {});
  return { process: started, url };
}

async function endProcess(running: ChildProcess): Promise<void> {
  if (running.exitCode !== null || running.signalCode !== null) return;
  const exited = new Promise((resolve) => running.once('exit', resolve));
  running.kill('SIGTERM');
  const timer = setTimeout(() => running.kill('SIGKILL'), MAX_STOP_MS);
  await exited;
  clearTimeout(timer);
}
