import { expect, it } from 'vitest';
import { memoryRelief } from './memory-relief.ts';

const LIMITS = { memoryShare: 0.85, collectShare: 0.7, collectGrowth: 0.05 };

/** A process whose collections free all that is free. */
function relieved({ inUse, free, isLimited = true }: { inUse: number; free: number; isLimited?: boolean }) {
  const state = { inUse, free, collections: 0, asked: 0, rests: false };
  const share = () => state.inUse + state.free;
  const look = memoryRelief(LIMITS, () => ({ memoryShare: isLimited ? share() : 0, enoughShare: share() }), {
    collect() {
      if (state.rests) return false;
      state.collections += 1;
      state.free = 0;
      return true;
    },
    askThreads: () => (state.asked += 1),
  });
  return { state, look: () => look().enoughShare };
}

it('has garbage collected before requests are refused, and reports what is left', () => {
  const { state, look } = relieved({ inUse: 0.4, free: 0.3 });
  expect(look()).toBeCloseTo(0.7);
  expect(state.collections).toBe(0);
  state.free = 0.35;
  expect(look()).toBeCloseTo(0.4);
  expect(state).toMatchObject({ collections: 1, asked: 0 });
});

it('asks the threads where its own collection is not enough', () => {
  const { state, look } = relieved({ inUse: 0.75, free: 0.15 });
  expect(look()).toBeCloseTo(0.75);
  expect(state.asked).toBe(1);
});

it('collects again only when memory has grown, while requests are accepted', () => {
  const { state, look } = relieved({ inUse: 0.74, free: 0 });
  for (let nth = 0; nth < 10; nth += 1) look();
  expect(state.collections).toBe(1);
  state.free = 0.06;
  look();
  expect(state.collections).toBe(2);
});

it('counts growth from the lowest share since', () => {
  const { state, look } = relieved({ inUse: 0.84, free: 0 });
  look();
  state.inUse = 0.72;
  look();
  state.inUse = 0.78;
  look();
  expect(state.collections).toBe(2);
});

it('collects as often as the pace allows while requests are refused', () => {
  const { state, look } = relieved({ inUse: 0.9, free: 0 });
  look();
  state.rests = true;
  expect(look()).toBe(0.9);
  expect(state).toMatchObject({ collections: 1, asked: 1 });
  state.rests = false;
  look();
  expect(state).toMatchObject({ collections: 2, asked: 2 });
});

it('collects without a limit too, but a server that needs more only when it has grown', () => {
  const { state, look } = relieved({ inUse: 0.4, free: 0.4, isLimited: false });
  look();
  expect(state.collections).toBe(1);
  state.inUse = 1.2;
  for (let nth = 0; nth < 10; nth += 1) look();
  expect(state.collections).toBe(2);
});
