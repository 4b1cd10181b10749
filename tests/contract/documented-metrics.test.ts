import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSkylark } from '../fixtures/running-skylark.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const DOCS = join(import.meta.dirname, '../../docs');

/** The metrics that a page names. The endings of a histogram's series are removed. */
function namedIn(page: string): Set<string> {
  const text = readFileSync(join(DOCS, page), 'utf8');
  return new Set(
    [...text.matchAll(/\bskylark_\w+/g)].map(([name]) => name.replace(/_(count|sum|bucket)$/, '')),
  );
}

/** The product's metrics, as a scrape of a running server declares them. */
async function served(): Promise<Set<string>> {
  const folder = temporaryFolder();
  const server = await startSkylark(folder.path, { SAMPLE_INVENTORY: 'off' });
  try {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return new Set([...text.matchAll(/^# TYPE (skylark_\w+) /gm)].map(([, name = '']) => name));
  } finally {
    await server.stop();
    folder.remove();
  }
}

it('has all metrics that the documents name, and documents all of them for operators', async () => {
  const metrics = await served();
  const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  for (const page of pages) {
    expect(
      [...namedIn(page)].filter((name) => !metrics.has(name)),
      page,
    ).toEqual([]);
  }
  for (const file of ['prometheus-rules.yml', 'prometheus-rules.test.yml', 'grafana-dashboard.json']) {
    const used = namedIn(join('../deploy', file));
    expect(used.size).toBeGreaterThan(0);
    expect(
      [...used].filter((name) => !metrics.has(name)),
      file,
    ).toEqual([]);
  }
  const named = namedIn('operations-reference.md');
  expect([...metrics].filter((name) => !named.has(name))).toEqual([]);
});
