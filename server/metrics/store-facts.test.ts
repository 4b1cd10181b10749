import { expect, it } from 'vitest';
import { knownStoreFacts, type ObservedStore } from './store-facts.ts';

function facts(offers: number): ObservedStore {
  return {
    offers,
    lastDeparture: null,
    bytes: 0,
    priceModels: null,
    accuracy: [],
    backups: { goodAt: null, failure: null },
    imports: [],
    feeds: [],
    problems: [],
  };
}

function thread(answers: (ObservedStore | Error)[], tookMs = 0) {
  let now = 0;
  let asked = 0;
  const said: string[] = [];
  const known = knownStoreFacts(
    {
      async read() {
        asked += 1;
        now += tookMs;
        const answer = answers.shift();
        if (answer instanceof Error || answer === undefined) throw answer ?? new Error('asked too often');
        return answer;
      },
      stop: async () => {},
    },
    () => now,
    (line) => said.push(line),
  );
  return { known, said, asked: () => asked, pass: (ms: number) => (now += ms) };
}

it('returns null at first, then cached facts immediately', async () => {
  const { known, asked, pass } = thread([facts(1), facts(2)]);
  expect(known.latest()).toBeNull();
  await known.refresh();
  expect(known.latest()?.offers).toBe(1);
  expect(asked()).toBe(1);
  pass(5 * 60_000);
  expect(known.latest()?.offers).toBe(1);
  await known.refresh();
  expect(known.latest()?.offers).toBe(2);
  expect(asked()).toBe(2);
});

it('pauses for a hundred times as long as a reading takes', async () => {
  const { known, asked, pass } = thread([facts(1), facts(2)], 10_000);
  await known.refresh();
  pass(900_000);
  known.latest();
  expect(asked()).toBe(1);
  pass(200_000);
  known.latest();
  expect(asked()).toBe(2);
});

it('logs a failed reading, keeps the cached facts, and retries later', async () => {
  const { known, said, asked, pass } = thread([facts(1), new Error('the disk'), facts(3)]);
  await known.refresh();
  pass(5 * 60_000);
  known.latest();
  await expect(known.refresh()).rejects.toThrow('the disk');
  expect(said).toEqual([expect.stringContaining('the disk')]);
  expect(known.latest()?.offers).toBe(1);
  expect(asked()).toBe(2);
  pass(5 * 60_000);
  known.latest();
  await known.refresh();
  expect(known.latest()?.offers).toBe(3);
});
