import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const OWNER = 65_534;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function run(command: string, ...words: string[]): string {
  const env = { PATH: process.env.PATH, DATA_DIR: folder.path, SAMPLE_INVENTORY: 'off' };
  const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'server/cli', command), ...words], {
    env,
    encoding: 'utf8',
  });
  return stdout + stderr;
}

function owners(): Set<number> {
  const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' });
  return new Set(files.map((name) => statSync(join(folder.path, name)).uid));
}

it.runIf(process.getuid?.() === 0)(
  'leaves only files of the data folder’s owner when root runs a command',
  () => {
    chownSync(folder.path, OWNER, OWNER);
    expect(run('feed.ts', 'status')).toContain('providers.json has no provider');
    expect(run('alerts.ts', 'status')).toContain('Price alerts');
    expect(existsSync(join(folder.path, 'inventory.sqlite'))).toBe(true);
    expect(existsSync(join(folder.path, 'alerts.key'))).toBe(true);
    expect(owners()).toEqual(new Set([OWNER]));

    const backups = temporaryFolder();
    chmodSync(backups.path, 0o700);
    expect(run('backup.ts', join(backups.path, 'store.sqlite'))).toContain('checked');
    expect(run('restore.ts', join(backups.path, 'store.sqlite'))).toContain('has been restored');
    backups.remove();
    expect(owners()).toEqual(new Set([OWNER]));
  },
);
