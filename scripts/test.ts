import { spawnSync } from 'node:child_process';
import { browserVersion, findOrInstallBrowser } from './browser.ts';
import { findOrInstallFirefox } from './firefox.ts';
import { versionOf } from './test-programs.ts';

// Runs all tests: unit and contract tests in Node, then browser tests on the built page.
const browser = findOrInstallBrowser();
console.log(`Browser: Chromium ${await browserVersion(browser)}, ${browser}`);

step('Unit and contract tests', 'vitest', ['run']);
step('Build of the page', 'vite', ['build', '--logLevel', 'warn']);
step('Byte budgets of the page', 'node', ['scripts/check-page-bytes.ts']);
step('Browser tests', 'playwright', ['test'], { BROWSER_PATH: browser });

// Firefox is optional: only Debian's package can be installed automatically.
const firefox = findOrInstallFirefox();
if (firefox === null) console.log('\nFirefox not found and not installable: its tests are skipped.');
else {
  console.log(`\nFirefox: ${versionOf(firefox) ?? 'version unknown'}, ${firefox}`);
  step('Main journeys in Firefox', 'vitest', ['run', '--config', 'vitest.firefox.config.ts'], {
    FIREFOX_PATH: firefox,
  });
}

function step(
  title: string,
  command: string,
  args: string[],
  environment: Record<string, string> = {},
): void {
  console.log(`\n== ${title}`);
  const { status, error } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
