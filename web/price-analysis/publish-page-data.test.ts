import { afterEach, describe, expect, it, vi } from 'vitest';
import { pageOf } from '../../domain/sort-and-page.ts';
import { packages } from '../../tests/fixtures/page-search.ts';
import { publishPageData } from './publish-page-data.ts';

const PAGE = pageOf(packages(3), 2, 2);
const SETTINGS = { perPage: 2, sortBy: 'default' as const, brandCode: 'SKY' };

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('publishPageData', () => {
  it('sets the data before it sends the event', () => {
    const target: Pick<Window, 'holidayPageData' | 'dispatchEvent'> = {
      dispatchEvent: (event) => {
        expect(event.type).toBe('holidaypagedata');
        expect(target.holidayPageData?.packages.map(({ ItemKey }) => ItemKey)).toEqual(['item-2']);
        return true;
      },
    };
    vi.stubGlobal('window', target);
    publishPageData(PAGE, SETTINGS);
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
    vi.stubGlobal('window', { dispatchEvent });
    expect(() => publishPageData(PAGE, SETTINGS)).not.toThrow();
    expect(warned).toHaveBeenCalledOnce();
  });
});
