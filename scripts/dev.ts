import { join } from 'node:path';
import { commandLine } from '../server/lib/command-line.ts';
import { startDevServer } from './dev/dev-server.ts';

commandLine(`npm run dev
  serves the page with hot reload and the server with restarts, at the same URL, until Ctrl-C`);
const log = (line: string) => console.log(line);
const { url, close } = await startDevServer(join(import.meta.dirname, '..'), {
  port: Number(process.env.PORT ?? 3000),
  log,
});
log(`Skylark is at ${url}, with hot reload. Ctrl-C stops it.`);

// Ctrl-C in a terminal may arrive twice: from the terminal, and from npm.
let isClosing = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (isClosing) return;
    isClosing = true;
    void close().then(() => process.exit(0));
  });
}
