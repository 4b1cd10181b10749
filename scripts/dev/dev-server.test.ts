import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { PAGE_URLS } from '../../server/page/page-plugin.ts';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { SENTINELS } from './sentinels.ts';

const ROOT = join(import.meta.dirname, '../..');

let dev: ChildProcess | null = null;
const folder = temporaryFolder();
afterEach(() => {
  // npm, the development server and the product's server are one process group.
  if (dev?.pid !== undefined) {
    try {
      process.kill(-dev.pid, 'SIGKILL');
    } catch {}
  }
  folder.remove();
});

it('serves the page with hot reload, shows failures, restarts the server on a change, and stops both', async () => {
  const started = spawn('npm', ['run', 'dev'], {
    cwd: ROOT,
    detached: true,
    env: {
      ...process.env,
      NODE_ENV: undefined,
      PORT: '0',
      DATA_DIR: folder.path,
      SAMPLE_INVENTORY: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  dev = started;
  const url = await printed(started, /^Skylark is at (http:\S+),/m);
  const get = async (path: string) => {
    const response = await fetch(url + path);
    return { status: response.status, text: await response.text() };
  };

  for (const page of [...PAGE_URLS, '/results?country=Spain', '/explore/', '/accessibility.html']) {
    expect((await get(page)).text, page).toContain('/@vite/client');
  }
  expect((await get('/widget/price-analysis.js')).text).toContain('/widget/fetch-price-analyses.ts');
  expect(JSON.parse((await get('/config.json')).text)).toMatchObject({ searchEndpoint: '/graphql' });
  const places = (await get('/data/locations.csv')).text;
  expect(places).toMatch(/^country,region,resort/);
  expect(await get('/data/token.key')).toMatchObject({ status: 404 });
  const query = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
  expect((await fetch(`${url}/graphql`, query)).status).toBe(401);

  // Every sentinel is a place of the list, is described in CONTRIBUTING, and fails as it says.
  const contributing = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const answers = Object.entries(SENTINELS).map(async ([resort, words]) => {
    expect(places).toContain(`\nFailures,Failures,${resort}\n`);
    expect(contributing).toContain(`- '${resort}' ${words}\n`);
    const referer = `${url}/results?${new URLSearchParams({ country: 'Failures', resort })}`;
    const response = await fetch(`${url}/graphql`, { ...query, headers: { ...query.headers, referer } });
    return [resort, response.status, (await response.text()).slice(0, 30)];
  });
  expect(await Promise.all(answers)).toEqual([
    ['Busy server', 503, '{"errors":[{"message":"Busy"}]'],
    ['Broken server', 500, 'Something broke'],
    ['Portal page', 200, '<!doctype html><title>Log in</'],
    ['Damaged answer', 200, '{"data":{"searchPackages":{"it'],
    ['Damaged holiday', 200, '{"data":{"searchPackages":{"it'],
    // The server answers these two, without a key.
    ['Slow server', 401, expect.any(String)],
    ['Empty place', 401, expect.any(String)],
    ['Only searches', 503, '{"errors":[{"message":"Busy"}]'],
  ]);

  const restarting = printed(started, /^Restarting the server/m);
  const restarted = printed(started, /^Server restarted in/m);
  utimesSync(join(ROOT, 'server/main.ts'), new Date(), new Date());
  await restarting;
  // The request waits for the new server.
  expect((await get('/config.json')).status).toBe(200);
  await restarted;

  const exited = once(started, 'exit');
  started.kill('SIGTERM');
  await exited;
  await expect(fetch(url)).rejects.toThrow('fetch failed');
}, 180_000);

function printed(program: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    program.stdout?.on('data', (chunk: Buffer) => {
      output += String(chunk);
      const found = pattern.exec(output);
      if (found !== null) resolve(found[1] ?? found[0]);
    });
    program.once('exit', () => reject(new Error(`It exited before it printed ${pattern}: ${output}`)));
  });
}
