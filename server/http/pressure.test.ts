import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { PRESSURE_LIMITS, processMemory, watchPressure } from './pressure.ts';

/** Holds more and more objects, and prints each highest share, until the process aborts. */
const FILL = `
  import { processMemory } from '${join(import.meta.dirname, 'pressure.ts')}';
  const memory = processMemory();
  const held = [];
  let most = 0;
  function fill() {
    for (let nth = 0; nth < 2_000; nth += 1) held.push({ nth, text: 'held ' + nth + held.length });
    const { heapShare } = memory();
    if (heapShare > most + 0.01) process.stdout.write((most = heapShare) + '\\n');
    setImmediate(fill);
  }
  fill();`;

it('sees that the heap is nearly full before the process aborts', () => {
  const options = ['--max-old-space-size=160', '--max-semi-space-size=16'];
  const child = spawnSync(process.execPath, [...options, '--input-type=module', '--eval', FILL], {
    encoding: 'utf8',
  });
  expect(child.stderr).toContain('heap out of memory');
  const highest = Number(child.stdout.trim().split('\n').at(-1));
  expect(highest).toBeGreaterThan(PRESSURE_LIMITS.heapShare);
  expect(highest).toBeLessThan(1.05);
});

/** Leaves garbage behind, and prints why requests are refused if nine tenths of the allowed memory are in use then. */
const LEAVE_GARBAGE = `
  import { readFileSync } from 'node:fs';
  import { systemClock } from '${join(import.meta.dirname, '../lib/clock.ts')}';
  import { PRESSURE_LIMITS, watchPressure } from '${join(import.meta.dirname, 'pressure.ts')}';
  let held = [];
  for (let round = 0; round < 20; round += 1) {
    held = [];
    for (let nth = 0; nth < 300_000; nth += 1) held.push({ nth, round });
  }
  held = [];
  const own = 1_024 * Number(/RssAnon:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))[1]);
  process.constrainedMemory = () => own / 0.9;
  process.stdout.write(String(watchPressure(PRESSURE_LIMITS, systemClock).reason(1, false)));`;

it.runIf(process.platform === 'linux')('refuses nothing for the memory of garbage', () => {
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', LEAVE_GARBAGE], {
    encoding: 'utf8',
  });
  expect(child).toMatchObject({ stderr: '', stdout: 'null' });
});

it.runIf(process.platform === 'linux')('keeps the last share of memory when no file can be opened', () => {
  const folder = temporaryFolder();
  const constrained = vi.spyOn(process, 'constrainedMemory').mockReturnValue(4_096 * 1_024);
  try {
    const status = join(folder.path, 'status');
    writeFileSync(status, 'VmRSS:\t 4000 kB\nRssAnon:\t 1024 kB\n');
    const memory = processMemory(status);
    expect(memory().memoryShare).toBe(0.25);
    rmSync(status);
    expect(memory().memoryShare).toBe(0.25);
  } finally {
    constrained.mockRestore();
    folder.remove();
  }
});

it('tells the operator when requests are refused for want of memory for long', async () => {
  const clock = virtualClock();
  const warnings: string[] = [];
  const { stop } = watchPressure(
    PRESSURE_LIMITS,
    clock,
    () => ({ heapShare: 0.2, memoryShare: 0.9, enoughShare: 0.9 }),
    (text) => warnings.push(text),
  );
  await clock.advance(61_000);
  stop();
  expect(warnings).toHaveLength(1);
});
