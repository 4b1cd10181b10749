import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findDebianProgram } from '../fixtures/debian-programs.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const promtool = findDebianProgram('prometheus');

if (promtool.kind === 'missing') {
  it(`WAS SKIPPED: ${promtool.reason}`, () => {
    console.warn(`\n*** The alarms were not tested: ${promtool.reason} ***\n`);
    expect(promtool.reason).not.toBe('');
  });
} else {
  it.each([
    ['check', 'prometheus-rules.yml'],
    ['test', 'prometheus-rules.test.yml'],
  ])('passes promtool %s rules', (act, file) => {
    const { status, stdout, stderr } = spawnSync(promtool.path, [act, 'rules', file], {
      cwd: DEPLOY,
      encoding: 'utf8',
    });
    expect(status, stdout + stderr).toBe(0);
  });
}
