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

describe('cachedResortPositions', () => {
  it('reads each version once, and again after a failure', async () => {
    const asked: string[] = [];
    let fails = true;
    const positions = cachedResortPositions();
    const read = () => readResortPositions(rows);
    const rows = async (sql: string) => {
      asked.push(sql);
      if (fails) throw new Error('The store is gone');
      return [[1, '3', '115620000', '-390000']];
    };
    await expect(positions('one', read)).rejects.toThrow('gone');
    fails = false;
    expect(await positions('one', read)).toEqual(new Map([[1, BENIDORM]]));
    await positions('one', read);
    expect(asked).toHaveLength(2);
    await positions('two', read);
    expect(asked).toHaveLength(3);
  });
});
