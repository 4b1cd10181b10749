import { simulate } from './simulate.ts';
process.on("SIGINT", () => process.exit(1));
const begun = process.hrtime.bigint();
const [seed = '1', days = '3', show] = process.argv.slice(2);
const result = await simulate({ seed: Number(seed), days: Number(days), show: show ? console.log : undefined });
if (result.failure) console.log(result.failure.lastEvents.join('\n'), '\n', result.failure.message);
console.log(result.hash, result.events, Number(process.hrtime.bigint() - begun) / 1e6 / result.days, 'ms/day');
console.log(process.cpuUsage());process.exit(0);
