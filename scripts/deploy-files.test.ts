import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KNOWN_VARIABLES } from '../server/known-variables.ts';
import { readSettings } from '../server/settings.ts';
import { openDatabase } from '../server/storage/open/database.ts';
import { embeddedStore } from '../server/storage/store-address.ts';
import { temporaryFolder } from '../tests/fixtures/temporary-folder.ts';
import { onSearchPath } from './test-programs.ts';

const ROOT = join(import.meta.dirname, '..');
const text = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8');

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

describe('deploy/environment', () => {
  it('names every setting of production once, and is valid', () => {
    const named = [...text('environment').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name);
    expect(named.toSorted()).toEqual(KNOWN_VARIABLES.filter((name) => name !== 'CLOCK').toSorted());
    expect(readSettings(parseEnv(text('environment')))).toMatchObject({
      kind: 'settings',
      settings: { warnings: [], config: { mode: 'production', operator: { name: 'Example Holidays Ltd' } } },
    });
  });
});

describe('deploy/skylark', () => {
  it('runs a command with the settings of the environment file', async () => {
    symlinkSync(ROOT, join(folder.path, 'root'));
    writeFileSync(join(folder.path, 'environment'), `DATA_DIR=${folder.path}/data\nSAMPLE_INVENTORY=off\n`);
    const script = text('skylark')
      .replaceAll('/opt/skylark', join(folder.path, 'root'))
      .replaceAll('/etc/skylark/environment', join(folder.path, 'environment'));
    writeFileSync(join(folder.path, 'skylark'), script, { mode: 0o755 });
    const run = (...words: string[]) =>
      spawnSync(join(folder.path, 'skylark'), words, {
        cwd: folder.path,
        encoding: 'utf8',
        env: { PATH: process.env.PATH },
      });
    const missing = run('feed', 'status');
    expect(missing).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no store in') });
    await (await openDatabase(embeddedStore(join(folder.path, 'data')))).close();
    expect(run('feed', 'status')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^providers\.json has no provider\.\nwarn: Nothing is on sale/),
    });
    expect(run('backup', join(folder.path, 'backups/'), '--keep', '1', '--yes')).toMatchObject({ status: 0 });
    expect(run('restore', '--try', join(folder.path, 'backups'))).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('can be restored: 0 packages.'),
    });
    expect(run('nothing')).toMatchObject({ status: 2, stderr: expect.stringContaining('skylark doctor') });
  });
});

const analyser = onSearchPath(['systemd-analyze']);

describe.skipIf(analyser === null)('the systemd units', () => {
  function analyse(...words: string[]) {
    return spawnSync(analyser ?? '', words, { cwd: folder.path, encoding: 'utf8' });
  }

  it('are valid, and give the server and the backup few rights', () => {
    cpSync(join(ROOT, 'deploy'), folder.path, { recursive: true });
    for (const unit of ['skylark.service', 'skylark-backup.service', 'skylark-backup.timer']) {
      // The programs and the user exist only on the operator's machine.
      const unitText = text(unit)
        .replaceAll(/^ExecStart=\S+/gm, 'ExecStart=/bin/true')
        .replaceAll(/^(User|Group)=.*\n/gm, '')
        .replaceAll('WorkingDirectory=/opt/skylark\n', '');
      writeFileSync(join(folder.path, unit), unitText);
    }
    const units = ['skylark.service', 'skylark-backup.timer'];
    expect(analyse('verify', '--man=no', ...units.map((unit) => join(folder.path, unit)))).toMatchObject({
      status: 0,
      stderr: '',
    });
    for (const unit of ['skylark.service', 'skylark-backup.service']) {
      const file = join(folder.path, unit);
      writeFileSync(file, text(unit));
      // 0 is closed, 10 is open to the world (in tenths).
      expect(analyse('security', '--offline=true', '--threshold=25', file).status, unit).toBe(0);
    }
  });
});

describe('deploy/grafana-dashboard.json', () => {
  it('has panels with unique ids, each with a query to the selected data source', () => {
    const { panels } = JSON.parse(text('grafana-dashboard.json')) as {
      panels: { id: number; targets: { expr: string; datasource: { uid: string } }[] }[];
    };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { targets } of panels) {
      expect(targets.length).toBeGreaterThan(0);
      for (const { expr, datasource } of targets) {
        expect([expr === '', datasource.uid]).toEqual([false, `$${'{datasource}'}`]);
      }
    }
  });
});
