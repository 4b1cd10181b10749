import { commandLine } from '../server/lib/command-line.ts';
import { buildPageIfStale } from './build-page-if-stale.ts';

commandLine(`npm start
  runs the server, after building the page if it is older than its sources. Settings are environment variables
  (docs/configuration.md): PORT, HOST, DATA_DIR and others.`);
buildPageIfStale();
await import('../server/main.ts');
