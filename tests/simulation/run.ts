import { spawnSync } from 'node:child_process';
import { commandLine } from '../../server/lib/command-line.ts';
import { skipped } from './faults.ts';
import { putBack } from './put-back-faults.ts';
import { simulate } from './simulate.ts';

const USAGE = `npm run simulate -- [options]   runs Skylark in a simulated world, until something is wrong
  --seed N       the world (1)
  --until DAY    ends after this day (365)
  --show         prints every event
  --shrink       after a failure, leaves out the faults that it does not need
  --skip A,B     leaves out these of the world's faults, each as <day> <fault> <where>
  --fault NAME   puts an old fault back into the product; NAME is listed in tests/simulation/put-back-faults.ts`;

const { seed, until, show, shrink, skip, fault } = commandLine(USAGE, {
  options: { seed: 1, until: 365, show: false, shrink: false, skip: '', fault: '' },
}).options;
for (const name of skip.split(',')) skipped.add(name);
if (fault !== '') putBack(fault);
const print = (line: string) => process.stdout.write(`${line}\n`);
const begun = process.cpuUsage();
const result = await simulate({ seed, days: until, show: show ? print : undefined });
const { user, system } = process.cpuUsage(begun);
const seconds = ((user + system) / 1e6).toFixed(1);
const { failure, hash, events, faults } = result;
if (failure !== null) {
  for (const event of failure.lastEvents) print(event);
  print(`\nSeed ${seed}, day ${failure.day}: ${failure.message}`);
  print(
    `Repeat it with: npm run simulate -- --seed ${seed} --until ${failure.day + 1}${skip && ` --skip '${skip}'`}${fault && ` --fault ${fault}`}`,
  );
  if (shrink) await shrinkFaults(failure.message, failure.day + 1, faults);
} else
  print(
    `Seed ${seed}: ${until} days, ${events} events, ${faults.length} faults, ${seconds} s of processor time`,
  );
print(`Trace ${hash}`);
process.exit(failure === null ? 0 : 1);

/** Repeats the failure with ever fewer faults, in halves, then quarters, and so on. */
async function shrinkFaults(message: string, days: number, all: readonly string[]): Promise<void> {
  let needed = all.filter((name) => !skipped.has(name));
  for (let size = Math.ceil(needed.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < needed.length; ) {
      const fewer = needed.toSpliced(from, size);
      if (fails(all.filter((name) => !fewer.includes(name)))) needed = fewer;
      else from += size;
    }
  }
  print(`It needs these faults: ${needed.join(', ') || 'none'}`);

  function fails(without: string[]): boolean {
    const options = ['--seed', String(seed), '--until', String(days), '--skip', without.join(',')];
    if (fault !== '') options.push('--fault', fault);
    const { stdout } = spawnSync(process.execPath, [import.meta.filename, ...options], { encoding: 'utf8' });
    const found = /^Seed \d+, day \d+: (.*)$/m.exec(stdout)?.[1];
    return found !== undefined && kindOf(found) === kindOf(message);
  }
}

/** A failure without its names and numbers. */
function kindOf(message: string): string {
  return message.replaceAll(/[A-Z]{4}|\d+/g, '').slice(0, 40);
}
