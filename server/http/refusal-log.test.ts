import { beforeEach, expect, it } from 'vitest';
import { type VirtualClock, virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { type Logger, refusalLog } from './refusal-log.ts';

let clock: VirtualClock;
let logged: unknown[][];
let log: ReturnType<typeof refusalLog>;

beforeEach(() => {
  clock = virtualClock();
  logged = [];
  const logger: Logger = {
    info: (line: object) => void logged.push(['info', line]),
    warn: (line: object, ...message: unknown[]) => void logged.push(['warn', line, ...message]),
  };
  log = refusalLog(clock, () => logger);
});

const refuse = (times: number) => {
  for (let nth = 1; nth <= times; nth += 1) log(null, () => ({ nth }));
};

it('logs a line for each refusal, with the reason of an overload', () => {
  log(null, () => ({ status: 429 }));
  log('overload: heap', () => ({ status: 503 }));
  expect(logged).toEqual([
    ['info', { status: 429 }],
    ['warn', { status: 503, reason: 'overload: heap' }],
  ]);
});

it('logs a flood’s first hundred of each second, and the number of the others when it is over', async () => {
  refuse(2_000);
  expect(logged).toHaveLength(100);
  await clock.advance(1_000);
  expect(logged).toHaveLength(101);
  expect(logged.at(-1)).toEqual(['warn', { refusals: 1_900 }, 'More requests were refused within a second']);
  refuse(101);
  await clock.advance(1_000);
  expect(logged).toHaveLength(202);
  expect(logged.at(-1)).toMatchObject(['warn', { refusals: 1 }, expect.any(String)]);
});

it('adds nothing for a hundred refusals or fewer, and leaves no timer behind', async () => {
  refuse(100);
  await clock.advance(5_000);
  expect(logged).toHaveLength(100);
  expect(clock.pending).toBe(0);
});
