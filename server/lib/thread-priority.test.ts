import { spawnSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const PRINT_PRIORITY = `
  const { yieldToOtherThreads } = await import(${JSON.stringify(join(import.meta.dirname, 'thread-priority.ts'))});
  yieldToOtherThreads();
  console.log((await import('node:os')).getPriority());
`;

/** The nice value that this process has, which others are added to. */
const OWN = getPriority();

/** The nice value of a thread that yields, in a process that was started with another. */
function priorityFrom(nice: number): number {
  const args = ['-n', String(nice - OWN), process.execPath, '--input-type=module', '--eval', PRINT_PRIORITY];
  return Number(spawnSync('nice', args, { encoding: 'utf8' }).stdout);
}

describe.runIf(process.platform === 'linux')('the priority of threads whose work can wait', () => {
  it('is lower than that of the others', () => {
    expect(priorityFrom(OWN)).toBe(Math.max(OWN, 10));
  });

  it('is not raised where the process was started with a lower one', () => {
    expect(priorityFrom(19)).toBe(19);
  });
});
