import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { marketFolder, type RunningSkylark, startSkylark } from '../fixtures/running-skylark.ts';
import { REQUEST_KINDS, type RequestKind, visitorOf } from './mixed-requests.ts';

export interface MixedLoad {
  seconds: number;
  /** Requests per second. */
  rate: number;
  /** Seconds between two readings of the memory. */
  every: number;
  /**
   * A folder with the sample, whose prices change during the run. Null: use the tests' small market, whose
   * prices do not.
   */
  sampleDir: string | null;
}

export interface MixedLoadReport {
  requests: number;
  /** How many requests had each outcome, by kind, such as `search 200`. */
  answers: Readonly<Record<string, number>>;
  /** The resident memory in megabytes, with the second of each reading. */
  memory: readonly { second: number; megabytes: number }[];
  /** How much more memory the server uses in the last fifth of the run than in the second fifth, in percent. */
  growth: number;
  /** Outcomes that are not allowed for their kind of request. */
  wrong: readonly string[];
}

const ALL_SHARES = REQUEST_KINDS.reduce((sum, { share }) => sum + share, 0);

/**
 * Starts a server, waits until it has loaded its inventory, sends every kind of request at a steady rate, and
 * records the server's memory. Linux only.
 */
export async function runMixedLoad(
  load: MixedLoad,
  onSample: (line: string) => void,
): Promise<MixedLoadReport> {
  const { sampleDir } = load;
  const { dataDir, remove } =
    sampleDir === null ? await marketFolder() : { dataDir: sampleDir, remove: async () => {} };
  const skylark = await startSkylark(dataDir, {
    SAMPLE_INVENTORY: sampleDir === null ? 'off' : 'on',
    LOG_LEVEL: 'error',
  });
  try {
    return await measure(skylark, load, onSample);
  } finally {
    await skylark.stop();
    await remove();
  }
}

async function measure(
  skylark: RunningSkylark,
  { seconds, rate, every }: Omit<MixedLoad, 'sampleDir'>,
  onSample: (line: string) => void,
): Promise<MixedLoadReport> {
  const visitor = await visitorOf(skylark.url);
  const answers: Record<string, number> = {};
  const wrong = new Set<string>();
  const memory: { second: number; megabytes: number }[] = [];
  const running = new Set<Promise<void>>();
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1_000;
  let requests = 0;

  async function ask(nth: number): Promise<void> {
    const kind = kindOf(nth);
    const outcome = await kind.send(visitor, nth);
    const named = `${kind.name} ${outcome}`;
    answers[named] = (answers[named] ?? 0) + 1;
    if (!kind.outcomes.includes(outcome)) wrong.add(named);
  }

  while (elapsed() < seconds) {
    for (const due = elapsed() * rate; requests < due; requests += 1) {
      const asked: Promise<void> = ask(requests)
        .catch((error: unknown) => void wrong.add(String(error)))
        .finally(() => running.delete(asked));
      running.add(asked);
    }
    if (elapsed() >= memory.length * every) {
      const megabytes = residentMegabytes(skylark.process.pid);
      memory.push({ second: Math.round(elapsed()), megabytes });
      onSample(`${String(Math.round(elapsed())).padStart(6)} s  ${megabytes} MB  ${requests} requests`);
    }
    await sleep(20);
  }
  await Promise.all(running);
  return { requests, answers, memory, growth: growthOf(memory), wrong: [...wrong] };
}

function kindOf(nth: number): RequestKind {
  // Steps by a number that has no common divisor with the total, so that the kinds are mixed.
  let left = (nth * 37) % ALL_SHARES;
  for (const kind of REQUEST_KINDS) {
    if (left < kind.share) return kind;
    left -= kind.share;
  }
  throw new Error('The shares do not add up');
}

function growthOf(memory: readonly { megabytes: number }[]): number {
  const fifth = Math.max(1, Math.floor(memory.length / 5));
  const median = (samples: readonly { megabytes: number }[]) =>
    samples.map(({ megabytes }) => megabytes).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0;
  const before = median(memory.slice(fifth, 2 * fifth));
  return before === 0 ? 0 : Math.round((median(memory.slice(-fifth)) / before - 1) * 1_000) / 10;
}

function residentMegabytes(pid: number | undefined): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1_000);
}
