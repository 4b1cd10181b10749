import { describe, expect, it } from 'vitest';
import { CallerGone } from '../lib/caller.ts';
import { Overloaded } from '../lib/overloaded.ts';
import { type SharedAnswerTime, sharedAnswerTime } from './shared-answer-time.ts';

/** What becomes of the time of a request, step by step. */
function observedTime(): { time: SharedAnswerTime; steps: string[] } {
  const steps: string[] = [];
  const time = sharedAnswerTime(() => {
    steps.push('set aside');
    return {
      take: async () => void steps.push('taken'),
      release: () => void steps.push('given back'),
    };
  });
  return { time, steps };
}

/** A field, whose search ends when its function is called. */
function field({ time, steps }: ReturnType<typeof observedTime>, name: string) {
  const search = Promise.withResolvers<'wants its turn' | 'wants none'>();
  const answer = time.during(async (answerTurn) => {
    if ((await search.promise) === 'wants none') return;
    steps.push(`${name} is found`);
    await answerTurn();
    steps.push(`${name} is made`);
  });
  return { answer, ...search };
}

describe('The time for the answer to a request', () => {
  it('is set aside once, and taken by one field after another when the last has been found', async () => {
    const observed = observedTime();
    const [one, other] = [field(observed, 'one'), field(observed, 'other')];
    one.resolve('wants its turn');
    await new Promise(setImmediate);
    expect(observed.steps).toEqual(['set aside', 'one is found']);
    other.resolve('wants its turn');
    await Promise.all([one.answer, other.answer]);
    const made = ['taken', 'one is made', 'taken', 'other is made'];
    expect(observed.steps.slice(2)).toEqual(['other is found', ...made]);
  });

  it.each([
    ['needs no turn', (other: ReturnType<typeof field>) => other.resolve('wants none')],
    ['fails', (other: ReturnType<typeof field>) => other.reject(new Error('No store'))],
  ])('does not wait for a field that %s', async (_what, end) => {
    const observed = observedTime();
    const [one, other] = [field(observed, 'one'), field(observed, 'other')];
    one.resolve('wants its turn');
    end(other);
    await Promise.allSettled([one.answer, other.answer]);
    expect(observed.steps).toEqual(['set aside', 'one is found', 'taken', 'one is made']);
  });

  it('is not taken if no field needs it, nor after it was given back', async () => {
    const unneeded = observedTime();
    const only = field(unneeded, 'only');
    only.resolve('wants none');
    await only.answer;
    unneeded.time.release();
    expect(unneeded.steps).toEqual(['set aside', 'given back']);

    const given = observedTime();
    const late = field(given, 'late');
    given.time.release();
    late.resolve('wants its turn');
    await expect(late.answer).rejects.toThrow(CallerGone);
    expect(given.steps).toEqual(['set aside', 'given back', 'late is found']);
  });

  it('ends every field if there is none to set aside, or none to take', async () => {
    const refused = () => Promise.reject(new Overloaded(1_000));
    const none = sharedAnswerTime(() => {
      throw new Overloaded(1_000);
    });
    await expect(none.during(async () => {})).rejects.toThrow(Overloaded);
    const late = sharedAnswerTime(() => ({ take: refused, release() {} }));
    const fields = ['one', 'other'].map(() =>
      late.during(async (answerTurn) => {
        await Promise.resolve();
        await answerTurn();
      }),
    );
    for (const outcome of await Promise.allSettled(fields)) expect(outcome.status).toBe('rejected');
  });
});
