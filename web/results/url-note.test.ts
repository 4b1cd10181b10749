import { describe, expect, it } from 'vitest';
import { SEARCH } from '../../tests/fixtures/page-search.ts';
import type { UnreadPart } from '../search/search-url.ts';
import { urlNote } from './url-note.ts';

const TODAY = '2027-01-31';

function note(part: UnreadPart['part'], text: string, starRating = '') {
  return urlNote({ part, text }, { ...SEARCH, starRating }, TODAY);
}

describe('urlNote', () => {
  it.each([
    ['place', 'Atlantis, Greece', '‘Atlantis, Greece’ isn’t one of our destinations. Choose another place.'],
    ['from', 'XXX', '‘XXX’ isn’t one of our departure airports. Choose another airport.'],
    ['date', '2020-01-01', '1 January 2020 has passed, so we’ve put in tomorrow. Choose another date.'],
    ['date', TODAY, 'It’s too late to leave today, so we’ve put in tomorrow. Choose another date.'],
    [
      'date',
      '2030-05-03',
      '3 May 2030 is more than 18 months ahead, so we’ve put in tomorrow. Choose another date.',
    ],
    ['date', 'soon', '‘soon’ isn’t a date, so we’ve put in tomorrow. Choose another date.'],
    ['nights', '5', '‘5’ isn’t available; showing 7 nights.'],
    ['board', 'XX', '‘XX’ isn’t a board basis, so we’re showing any board.'],
    ['stars', '9', '‘9’ isn’t a star rating, so we’re showing any rating.'],
    ['sort', 'cheapest', '‘cheapest’ isn’t a sort order, so we’re showing Recommended.'],
    ['size', '7', '‘7’ isn’t a number of results per page, so we’re showing 10.'],
    ['filters', '', 'We can’t use this link’s filters here, so we’re showing the results without them.'],
    ['page', '-1', '‘-1’ isn’t a page number, so we’re showing page 1.'],
  ] as const)('a %s of %j', (part, text, words) => {
    expect(note(part, text)).toBe(words);
  });

  it('names the whole number of stars that was used', () => {
    expect(note('stars', '4.5', '4')).toBe('‘4.5’ isn’t a whole number of stars, so we’re showing 4.');
  });

  it('shortens very long text', () => {
    expect(note('place', 'A'.repeat(5_000)).length).toBeLessThan(160);
  });
});
