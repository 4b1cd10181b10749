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
let areAllFound = true;
for (const [name, { about }] of Object.entries(PUT_BACK)) {
  if (only !== '' && only !== name) continue;
  const found = find(name);
  areAllFound &&= found !== null;
  process.stdout.write(`${name} (${about}): ${found ?? 'not found'}\n`);
}
process.exitCode = areAllFound ? 0 : 1;

/** The first failure with a fault. */
function find(name: string): string | null {
  for (let year = 0; year < years; year += 1) {
    const options = ['--seed', String(seed + year), '--until', String(days), '--fault', name];
    const { stdout, stderr } = spawnSync(process.execPath, [run, ...options], { encoding: 'utf8' });
    const found = /^Seed \d+, day \d+: .*$/m.exec(stdout)?.[0];
    if (found !== undefined) return found;
    if (!/^Seed \d+: /m.test(stdout)) throw new Error(`The simulation failed: ${stderr}`);
  }
  return null;
}
