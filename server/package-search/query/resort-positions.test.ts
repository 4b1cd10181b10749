import { describe, expect, it } from 'vitest';
import { cachedResortPositions, middleOf, readResortPositions } from './resort-positions.ts';

const BENIDORM = { hotels: 3, latitude: 38.54, longitude: -0.13 };

describe('middleOf', () => {
  it('is the position of a single resort', () => {
    expect(middleOf([BENIDORM])).toEqual({ latitude: 38.54, longitude: -0.13 });
  });

  it('weighs a resort by its hotels', () => {
    const middle = middleOf([
      { hotels: 3, latitude: 0, longitude: 10 },
      { hotels: 1, latitude: 0, longitude: 14 },
    ]);
    expect(middle?.longitude).toBeCloseTo(11, 1);
  });

  it('is near 180 degrees for places on both sides of it', () => {
    const middle = middleOf([
      { hotels: 1, latitude: -17, longitude: 179 },
      { hotels: 1, latitude: -17, longitude: -179 },
    ]);
    expect(Math.abs(middle?.longitude ?? 0)).toBe(180);
  });

  it('is null without hotels', () => {
    expect(middleOf([])).toBeNull();
  });
});

describe('readResortPositions', () => {
  it('takes the mean of the hotels of each resort', async () => {
    const rows = async () => [[1, '3', '115620000', '-390000']];
    expect(await readResortPositions(rows)).toEqual(new Map([[1, BENIDORM]]));
  });
});

describe('cachedResortPositions', () => {
  it('reads each version once for concurrent callers, and again after a failure', async () => {
    let reads = 0;
    let fails = true;
    const cached = cachedResortPositions();
    const positionsOf = (version: string) =>
      cached(version, async () => {
        reads += 1;
        if (fails) throw new Error('The store is gone');
        return { version, positions: new Map([[reads, BENIDORM]]) };
      });
    const failed = await Promise.allSettled([positionsOf('one'), positionsOf('one')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(reads).toBe(1);
    fails = false;
    expect(await Promise.all([positionsOf('one'), positionsOf('one')])).toEqual([
      new Map([[2, BENIDORM]]),
      new Map([[2, BENIDORM]]),
    ]);
    expect(await positionsOf('one')).toEqual(new Map([[2, BENIDORM]]));
    expect(await positionsOf('two')).toEqual(new Map([[3, BENIDORM]]));
  });

  it('caches positions by the version that it has read', async () => {
    let reads = 0;
    const cached = cachedResortPositions();
    const read = async () => {
      reads += 1;
      return { version: 'a replica behind', positions: new Map([[reads, BENIDORM]]) };
    };
    await cached('the newest', read);
    expect(await cached('the newest', read)).toEqual(new Map([[2, BENIDORM]]));
    expect(await cached('a replica behind', read)).toEqual(new Map([[2, BENIDORM]]));
  });
});
