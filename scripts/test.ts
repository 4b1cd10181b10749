import { spawnSync } from 'node:child_process';
import { commandLine } from '../server/lib/command-line.ts';
import { browserVersion, findOrInstallBrowser } from './browser.ts';
import { installEngines } from './engines.ts';

const isLong = process.argv[2] === 'long';
// If a step fails, the others still run, so that one run reports every failure.
commandLine('npm test   runs every test but the long ones\nnpm run test:long   runs the long ones', {
  args: process.argv.slice(isLong ? 3 : 2),
});
const failed: string[] = [];

const browser = findOrInstallBrowser();
console.log(`Browser: Chromium ${await browserVersion(browser)}, ${browser}`);

const projects = isLong ? ['--project', 'long'] : ['--project', 'unit', '--project', 'server'];
step('Unit and contract tests', 'vitest', ['run', ...projects]);
// One after another, because each has a cluster of servers.
if (isLong && process.env.CITUS_ARCHIVE)
  step('Contract tests on Citus', 'vitest', ['run', '--project', 'citus', '--maxWorkers', '1']);
if (step('Build of the page', 'vite', ['build', '--logLevel', 'warn'])) {
  step('Byte budgets of the page', 'node', ['scripts/check-page-bytes.ts']);
  step('Browser tests', 'playwright', ['test', '--project', isLong ? 'long' : 'page'], {
    BROWSER_PATH: browser,
  });
  if (isLong) {
    installEngines();
    step('Main journeys in Firefox and WebKit', 'vitest', ['run', '--project', 'browsers']);
  }
}

if (failed.length > 0) {
  console.log(`\nFailed: ${failed.join(', ')}`);
  process.exit(1);
}

/** Runs a command. Returns whether it succeeded. */
function step(
  title: string,
  command: string,
  args: string[],
  environment: Record<string, string> = {},
): boolean {
  console.log(`\n== ${title}`);
  const start = Date.now();
  const { status, error } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  console.log(`${title}: ${Math.round((Date.now() - start) / 1000)} s`);
  if (status !== 0) failed.push(title);
  return status === 0;
}
