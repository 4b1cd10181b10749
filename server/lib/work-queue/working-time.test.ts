import { expect, it } from 'vitest';
import { workingTime } from './working-time.ts';

it('counts the parts of work, without the pauses between them and without its rests', async () => {
  let now = 0;
  const pass = async (ms: number) => {
    now += ms;
  };
  const time = workingTime(pass, () => now);
  await pass(7);
  const found = await time.during(async () => {
    await pass(1);
    await time.rest(100);
    await pass(2);
    return 'found';
  });
  expect(found).toBe('found');
  await pass(50);
  await expect(time.during(() => pass(4).then(() => Promise.reject(new Error('failed'))))).rejects.toThrow();
  expect(time.ms).toBe(7);
});

it('counts rests that overlap once, also if they fail', async () => {
  let now = 0;
  const ends: ((error?: Error) => void)[] = [];
  const rest = () =>
    new Promise<void>((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve() : reject(error)));
    });
  const time = workingTime(rest, () => now);
  await time.during(async () => {
    const rests = [time.rest(1), time.rest(2)];
    now += 10;
    ends[0]?.(new Error('refused'));
    await expect(rests[0]).rejects.toThrow('refused');
    now += 10;
    ends[1]?.();
    await rests[1];
    now += 3;
  });
  expect(time.ms).toBe(3);
});
