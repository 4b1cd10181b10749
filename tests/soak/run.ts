import { commandLine, type OptionDefaults, type Options } from '../../server/lib/command-line.ts';

// The long forms of the alerts' contract tests, with the sizes in docs/alerts.md.
const RUNS: Readonly<Record<string, { usage: string; run(args: string[]): Promise<boolean> }>> = {
  'alerts-crashes': {
    usage: '[--points 200] [--seed 1]   kill -9 at seeded points',
    run: alertsCrashes,
  },
  'stop-races': {
    usage: '[--races 10000] [--seed 1]   STOP received while a message is being sent',
    run: stopRaces,
  },
  'mixed-load': {
    usage:
      '[--seconds 36000] [--rate 100] [--every 60] [--growth 5] [--sample <folder>]   all kinds of requests, and the memory over time',
    run: mixedLoad,
  },
  'daily-feeds': {
    usage:
      '[--days 365] [--packages 60000] [--every 30] [--seed 1]   a feed a day for a year, and what each history says',
    run: dailyFeeds,
  },
  'phone-strings': {
    usage: '[--strings 1000000] [--seed 2]   generated phone numbers',
    run: phoneStrings,
  },
};

const [name = '', ...args] = process.argv.slice(2);
const chosen = RUNS[name];
if (chosen === undefined) {
  const lines = Object.entries(RUNS).map(([run, { usage }]) => `  ${run} ${usage}`);
  const usage = ['npm run soak -- <run> [options]', ...lines].join('\n');
  commandLine(usage);
  console.error(usage);
  process.exitCode = 2;
} else if (!(await chosen.run(args))) {
  process.exit(1);
}

function optionsOf<const D extends OptionDefaults>(options: string[], defaults: D): Options<D> {
  return commandLine(`npm run soak -- ${name} ${chosen?.usage}`, { options: defaults, args: options })
    .options;
}

async function alertsCrashes(options: string[]): Promise<boolean> {
  const { runCrashes } = await import('./alerts-crash-runs.ts');
  const { points, seed } = optionsOf(options, { points: 200, seed: 1 });
  const report = await runCrashes(points, seed);
  console.log(
    `${report.killed} of ${report.points} points killed; slowest restart ${Math.round(report.slowestRestart)} ms`,
  );
  for (const wrong of report.wrong) console.error(wrong);
  return report.wrong.length === 0;
}

async function stopRaces(options: string[]): Promise<boolean> {
  const { raceStops } = await import('./stop-races.ts');
  const { races, seed } = optionsOf(options, { races: 10_000, seed: 1 });
  const report = await raceStops(races, seed);
  console.table(report);
  return report.late === 0;
}

async function mixedLoad(options: string[]): Promise<boolean> {
  const { runMixedLoad } = await import('./mixed-load.ts');
  const {
    growth,
    sample: sampleDir,
    ...load
  } = optionsOf(options, {
    seconds: 36_000,
    rate: 100,
    every: 60,
    growth: 5,
    sample: null,
  });
  const { memory: _, ...report } = await runMixedLoad({ ...load, sampleDir }, (line) => console.log(line));
  console.table(report.answers);
  console.log(`${report.requests} requests; memory ${report.growth}% above the second fifth of the run`);
  for (const wrong of report.wrong) console.error(wrong);
  return report.wrong.length === 0 && report.growth <= growth;
}

async function dailyFeeds(options: string[]): Promise<boolean> {
  const { makeFeedSite } = await import('../fixtures/feed-site.ts');
  const { runDailyFeeds } = await import('./daily-feeds.ts');
  const { packages, seed, ...run } = optionsOf(options, { days: 365, packages: 60_000, every: 30, seed: 1 });
  const window = 400;
  const market = { seed, perDay: Math.ceil(packages / window), window };
  const site = await makeFeedSite('embedded');
  try {
    await runDailyFeeds(site, market, { ...run, checked: 500 }, (report) =>
      console.log(JSON.stringify(report)),
    );
  } finally {
    await site.close();
  }
  return true;
}

async function phoneStrings(options: string[]): Promise<boolean> {
  const { readPhoneStrings } = await import('./phone-strings.ts');
  const { strings, seed } = optionsOf(options, { strings: 1_000_000, seed: 2 });
  const { wrong, ...report } = readPhoneStrings(strings, seed);
  console.table(report);
  for (const words of wrong.slice(0, 20)) console.error(words);
  return wrong.length === 0;
}
