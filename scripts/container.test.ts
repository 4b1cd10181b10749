import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KNOWN_VARIABLES, SECRETS } from '../server/known-variables.ts';

const ROOT = join(import.meta.dirname, '..');
const text = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const dockerfile = text('Dockerfile').replaceAll('\\\n', ' ');
const [, buildStage = '', lastStage = ''] = dockerfile.split(/^FROM .*$/m);
const copied = [...lastStage.matchAll(/^COPY (?!--from)(\S+) \S+$/gm)].map(([, source = '']) => source);
const { dependencies } = JSON.parse(text('package.json')) as {
  dependencies: Record<string, string>;
};

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

/** The modules that a file imports at run time. Excludes type imports, which are erased. */
function importsOf(file: string): string[] {
  const code = text(file).replaceAll(/^(import|export) type [^;]*;/gm, '');
  const named = [
    /^(?:import|export)\b[^;'"=]*?\bfrom '([^'\n]+)';/gm,
    /^import '([^'\n]+)';/gm,
    /\bimport\('([^'\n]+)'\)/g,
  ];
  return named.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name));
}

describe('The container', () => {
  it('copies only files that exist and that .dockerignore allows', () => {
    expect(copied.length).toBeGreaterThan(0);
    for (const source of copied) expect(existsSync(join(ROOT, source)), source).toBe(true);
    const allowed = text('.dockerignore').split('\n');
    for (const source of copied) expect(allowed).toContain(`!${source}`);
    for (const needed of [
      'index.html',
      'accessibility.html',
      'vite.config.ts',
      'scripts',
      'web',
      'widget',
      'package-lock.json',
    ]) {
      expect(allowed).toContain(`!${needed}`);
    }
  });

  it('builds the page, then starts the server', () => {
    const command = /^CMD (\[.*\])$/m.exec(lastStage.replaceAll(/HEALTHCHECK[^\n]*/g, ''))?.[1] ?? '[]';
    expect((JSON.parse(command) as string[]).join(' ')).toBe('node server/main.ts');
    expect(buildStage).toContain('vite.js build');
    expect(existsSync(join(ROOT, 'node_modules/vite/bin/vite.js'))).toBe(true);
  });

  it('contains every imported module and package', () => {
    const files = [...sources('server'), ...sources('domain')];
    for (const file of files) {
      for (const name of importsOf(file)) {
        if (name.startsWith('node:')) continue;
        if (name.startsWith('.')) {
          const [folder = ''] = normalize(join(dirname(file), name)).split('/');
          expect(copied, `${file} imports ${name}`).toContain(folder);
        } else {
          const [scope = '', rest = ''] = name.split('/');
          const installed = scope.startsWith('@') ? `${scope}/${rest}` : scope;
          expect(Object.keys(dependencies), `${file} imports ${name}`).toContain(installed);
        }
      }
    }
  });

  it('runs as an unprivileged user, has a health check, and stops within its grace period', () => {
    expect(lastStage).toMatch(/^USER node$/m);
    expect(lastStage.indexOf('USER node')).toBeGreaterThan(lastStage.indexOf('RUN install'));
    expect(lastStage).toMatch(/^HEALTHCHECK .*server\/cli\/is-alive\.ts/m);
    const delay = Number(/STOP_DELAY_SECONDS=(\d+)/.exec(lastStage)?.[1]);
    const grace = Number(/stop_grace_period: (\d+)s/.exec(text('compose.yaml'))?.[1]);
    expect(text('docs/operations-reference.md')).toContain(
      `a supervisor should wait ${grace} seconds before it kills`,
    );
    expect(text('deploy/skylark.service')).toContain(`TimeoutStopSec=${grace}\n`);
    // After the delay: 11 seconds for requests, 71 for an email that is being sent, 4 for the rest.
    expect(grace).toBeGreaterThan(delay + 86);
  });

  it('has a memory limit, and can write only to its data and temporary volumes', () => {
    const [, skylark = ''] = /^ {2}skylark:\n([\s\S]*?)^ {2}postgres:/m.exec(text('compose.yaml')) ?? [];
    expect(skylark).toContain('read_only: true');
    expect(skylark).toContain('volumes: ["data:/data", "tmp:/tmp"]');
    expect(skylark).not.toContain('tmpfs');
    expect(skylark).toMatch(/^ {4}mem_limit: /m);
    expect(text('compose.yaml')).toMatch(/^volumes:\n {2}data:\n {2}tmp:\n/m);
  });

  it('has no sample inventory by default', () => {
    expect(lastStage).toContain('SAMPLE_INVENTORY=off');
    expect(text('compose.yaml')).toMatch(/SAMPLE_INVENTORY: \$\{SAMPLE_INVENTORY:-off\}$/m);
  });

  it('is documented with its feed commands, provider list and limits', () => {
    const [, page = ''] =
      /## In containers\n([\s\S]*?)\n## /.exec(text('docs/operations-reference.md')) ?? [];
    for (const word of ['/data/providers.json', 'FEED_HOSTS', 'SKYLARK_MEMORY', 'POSTGRES_MEMORY']) {
      expect(page).toContain(word);
    }
    for (const command of ['import - ', 'import https://', 'check ', 'status', 'remove ']) {
      expect(page).toContain(`skylark node server/cli/feed.ts ${command}`);
    }
    // compose.yaml uses each variable that a documented command sets.
    for (const [, name = ''] of page.matchAll(/^([A-Z_]+)=\S* docker compose/gm)) {
      expect(text('compose.yaml')).toMatch(new RegExp(`^ {6}${name}:$|\\$\\{${name}:-`, 'm'));
    }
  });

  it('contains no package that only the page or the build needs', () => {
    const [, removed = ''] = /RUN npm uninstall --omit=dev ([^&]*)&&/.exec(buildStage) ?? [];
    const users = (...folders: string[]) => {
      const names = new Set(folders.flatMap(sources).flatMap(importsOf));
      return (name: string) => [...names].some((one) => one === name || one.startsWith(`${name}/`));
    };
    const [hasPage, hasServer] = [users('web', 'widget'), users('server', 'domain')];
    const ofPage = Object.keys(dependencies).filter((name) => hasPage(name) && !hasServer(name));
    expect(removed.split(/\s+/)).toEqual(expect.arrayContaining(['node', ...ofPage]));
    expect(removed.split(/\s+/).filter(hasServer)).toEqual([]);
  });

  it('starts from a base of the same Node, pinned by digest', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(/^node:[\d.]+-slim@sha256:[\da-f]{64}$/);
    expect(bases[0]).toContain(`:${dependencies.node}-`);
  });

  it('names images without a registry host', () => {
    const images = [
      ...dockerfile.matchAll(/^FROM (\S+)/gm),
      ...text('compose.yaml').matchAll(/image: (\S+)/g),
    ];
    for (const [, image = ''] of images) expect(image).toMatch(/^[a-z]+:[\w.-]+(@sha256:\w+)?$/);
  });

  it('passes every documented variable, and keeps a bounded log', () => {
    const [, skylark = ''] = /^ {2}skylark:\n([\s\S]*?)^ {2}postgres:/m.exec(text('compose.yaml')) ?? [];
    const inCompose = [...skylark.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = '']) => name);
    // The image sets these variables, or production rejects them.
    const fixed = ['PORT', 'HOST', 'DATA_DIR', 'NODE_ENV', 'CLOCK'];
    const passed = [...inCompose.map((name) => name.replace(/(DATABASE_URL|_KEY)_FILE$/, '$1')), ...fixed];
    expect(passed.toSorted()).toEqual(KNOWN_VARIABLES.toSorted());
    expect(text('compose.yaml').match(/^ {4}logging: \*logging$/gm)).toHaveLength(2);
  });

  it('sets only variables that the server knows', () => {
    const inCompose = [...text('compose.yaml').matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = '']) => name);
    const set = [...lastStage.matchAll(/\b([A-Z_]{4,})=/g)].map(([, name = '']) => name);
    const ofTheRuntime = ['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE'];
    const known = new Set([
      ...ofTheRuntime,
      ...KNOWN_VARIABLES,
      ...[...SECRETS].map((name) => `${name}_FILE`),
    ]);
    expect(inCompose.length + set.length).toBeGreaterThan(8);
    for (const name of [...inCompose, ...set]) {
      expect(known.has(name) || name.startsWith('POSTGRES_'), name).toBe(true);
    }
  });
});
