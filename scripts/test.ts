import { spawnSync } from 'node:child_process';
import { browserVersion, findOrInstallBrowser } from './browser.ts';
import { findOrInstallFirefox } from './firefox.ts';
import { versionOf } from './test-programs.ts';

// Every test, one command: rules and contracts in Node, then journeys in a real browser on the built page.
const browser = findOrInstallBrowser();
console.log(`Browser: Chromium ${await browserVersion(browser)}, ${browser}`);

step('Unit and contract tests', 'vitest', ['run']);
step('The page as it ships', 'vite', ['build', '--logLevel', 'warn']);
step('What the page weighs', 'node', ['scripts/check-page-bytes.ts']);
step('Browser tests', 'playwright', ['test'], { BROWSER_PATH: browser });

// Firefox can be had by hand anywhere, and by itself where Debian's package can be installed.
const firefox = findOrInstallFirefox();
if (firefox === null)
  console.log('\nNo Firefox here, and none could be installed: its journeys are not run.');
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
