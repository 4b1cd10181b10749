import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { commandLine } from '../../server/lib/command-line.ts';
import { PUT_BACK } from './put-back-faults.ts';

const USAGE = `npm run simulate:faults -- [options]   puts old faults back one at a time, and shows which are found
  --only NAME    this fault alone
  --seed N       the first world (1)
  --years N      at most this many simulated years for each fault, each in another world (20)
  --days N       the length of each of these years (365)`;

const { only, seed, years, days } = commandLine(USAGE, {
  options: { only: '', seed: 1, years: 20, days: 365 },
}).options;
const run = join(import.meta.dirname, 'run.ts');
/** How many days each world is sound without a fault, as far as is known. */
const soundDays = new Map<number, number>();
for (const [name, { about, breaks }] of Object.entries(PUT_BACK)) {
  if (only !== '' && only !== name) continue;
  const found = find(name, breaks);
  if (found === null) process.exitCode = 1;
  process.stdout.write(`${name.padEnd(22)} ${found ?? 'not found'} (${about})\n`);
}

/** The first violation that names the fault, in a world that has none without it. */
function find(name: string, breaks: RegExp): string | null {
  for (let world = seed; world < seed + years; world += 1) {
    const found = violation(world, days, ['--fault', name]);
    if (found !== null && breaks.test(found.message) && isSound(world, found.day + 1))
      return `seed ${world}, day ${found.day}: ${found.message}`;
  }
  return null;
}

function isSound(world: number, until: number): boolean {
  if ((soundDays.get(world) ?? 0) >= until) return true;
  if (violation(world, until, []) !== null) return false;
  soundDays.set(world, until);
  return true;
}

function violation(world: number, until: number, more: readonly string[]) {
  const options = ['--seed', String(world), '--until', String(until), ...more];
  const { stdout, stderr } = spawnSync(process.execPath, [run, ...options], { encoding: 'utf8' });
  const found = /^Seed \d+, day (\d+): (.*)$/m.exec(stdout);
  if (found !== null) return { day: Number(found[1]), message: found[2] ?? '' };
  if (!/^Seed \d+: /m.test(stdout)) throw new Error(`The simulation failed: ${stderr}`);
  return null;
}
