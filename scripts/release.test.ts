import { execFileSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../tests/fixtures/temporary-folder.ts';

// The steps of the release workflow that need no GitHub.
const steps = [...readFileSync('.github/workflows/release.yml', 'utf8').matchAll(/^ +- run: (.+)$/gm)].map(
  ([, step = '']) => step,
);
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Runs the step that writes a file, and returns the file's text. */
function written(file: string, env: Record<string, string> = {}): string {
  const step = steps.find((each) => each.includes(`> ${file}`)) ?? '';
  const target = join(folder.path, file);
  execFileSync('bash', ['-c', step.replaceAll(file, target)], { env: { ...process.env, ...env } });
  return readFileSync(target, 'utf8');
}

it('runs the gate, which is an executable file', () => {
  const gate = steps.map((step) => /^bash (\S+)$/.exec(step)?.[1]).find((path) => path !== undefined) ?? '';
  expect(() => accessSync(gate, constants.X_OK)).not.toThrow();
});

it('lists the packages that the product depends on, in CycloneDX', () => {
  const list = JSON.parse(written('skylark.cdx.json')) as {
    bomFormat: string;
    metadata: { component: { version: string } };
    components: { name: string }[];
  };
  expect(list).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { version } } });
  const names = list.components.map(({ name }) => name);
  expect(names).toContain('fastify');
  expect(names).not.toContain('vitest');
});

it('takes its notes from the changelog’s section of the tag, and refuses a tag without one', () => {
  const [, released = ''] = /^## (\d\S+)/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  const notes = written('notes.md', { GITHUB_REF_NAME: `v${released}` });
  expect(notes).toContain('- ');
  expect(notes).not.toMatch(/^## /m);
  expect(() => written('notes.md', { GITHUB_REF_NAME: 'v99.0.0' })).toThrow();
});

it('publishes both files of the earlier steps', () => {
  const publish = steps.find((step) => step.startsWith('gh release create')) ?? '';
  expect(publish).toContain(' skylark.cdx.json ');
  expect(publish).toContain('--notes-file notes.md');
});
