import { afterEach, describe, expect, it, vi } from 'vitest';
import { pageOf } from '../../domain/sort-and-page.ts';
import { packages } from '../../tests/fixtures/page-search.ts';
import { publishPageData } from './publish-page-data.ts';

const INPUT = {
  page: pageOf(packages(3), 2, 2),
  perPage: 2,
  sortBy: 'default' as const,
  allResultsCount: 3,
  brandCode: 'SKY',
  lastUpdated: '2027-01-01T00:00:00.000Z',
};

afterEach(() => vi.restoreAllMocks());

describe('publishPageData', () => {
  it('sets the data before it sends the event', () => {
    const target: Parameters<typeof publishPageData>[0] = {
      dispatchEvent: (event) => {
        expect(event.type).toBe('holidaypagedata');
        expect(target.holidayPageData?.packages.map(({ ItemKey }) => ItemKey)).toEqual(['item-2']);
        return true;
      },
    };
    publishPageData(target, INPUT);
    expect(target.holidayPageData).toMatchObject({
      pagination: { currentPage: 2, totalPages: 2, totalResults: 3, perPage: 2 },
      searchState: { sortBy: 'default', allResultsCount: 3 },
    });
    expect.assertions(3);
  });

  it('logs a warning if it fails', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const dispatchEvent = () => {
      throw new Error('a broken listener');
    };
    expect(() => publishPageData({ dispatchEvent }, INPUT)).not.toThrow();
    expect(warned).toHaveBeenCalledOnce();
  });
});
