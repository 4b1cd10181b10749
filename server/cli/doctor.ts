import './command-output.ts';
import { tryToWrite } from '../conditions/setup/data-folder.ts';
import { parseConfig } from '../config.ts';
import { describeFindings, diagnose, exitCodeOf } from '../doctor/diagnose.ts';
import { readFeedSettings } from '../feed/feed-settings.ts';
import { commandLine } from '../lib/command-line.ts';
import { freeBytesOf } from '../lib/free-bytes.ts';
import { embeddedStore } from '../storage/store-address.ts';
import { loadInstalledSettings, printStore, runAsOwner } from './command-store.ts';

const USAGE = `npm run doctor -- [--strict] [--json]   prints problems and how to fix them, and changes nothing
  --strict   exits with 3 if there are warnings
  --json     prints the findings as JSON`;

/** How long a mail server may take to respond. */
const LOGIN_TIMEOUT_MS = 10_000;

const TIMEOUT_MS = 5_000;

const { options } = commandLine(USAGE, { options: { strict: false, json: false } });
loadInstalledSettings();
await run(options);

async function run({ strict, json }: { strict: boolean; json: boolean }): Promise<void> {
  const feeds = readFeedSettings(process.env);
  const config = parseConfig(process.env);
  // Checks as the server's user, because root can write to files that the server cannot.
  if (feeds.kind === 'settings') runAsOwner(embeddedStore(feeds.settings.dataDir));
  if (config.kind === 'config') printStore(config.config.store);
  console.error('Checking. This takes a while if the store has gigabytes ...');
  const findings = await diagnose({
    variables: process.env,
    nodeVersion: process.versions.node,
    folders: { page: 'dist/web', lists: 'assets' },
    now: Date.now(),
    freeBytes: freeBytesOf,
    tryToWrite,
    async logInTo(smtpUrl) {
      const { tryLogin } = await import('../alerts/providers/smtp-call.ts');
      return tryLogin(smtpUrl, LOGIN_TIMEOUT_MS);
    },
    async reach(url) {
      const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
      await response.body?.cancel();
      return response.status;
    },
  });
  const printed = findings.map(({ level, summary, remedy }) => ({ level, summary, remedy }));
  console.log(json ? JSON.stringify({ findings: printed }, null, 2) : describeFindings(findings));
  process.exitCode = exitCodeOf(findings, strict);
}
