import { describe, expect, it } from 'vitest';
import { FILTER_ENTRIES, facetEntries } from '../../../domain/filters.ts';
import { filterGroups, filterWords } from './filter-groups.ts';

const NAMES = { airports: [], providers: { SEA: { name: 'Seaward Travel' } } };
const range = { from: 300, to: 500, count: 2 };

/** Counts of every declared filter, as a server sends them. */
const COUNTS = {
  pounds: [range, { ...range, from: 500, to: 700 }],
  times: [{ from: '06:00', to: '11:59', count: 2 }],
  codes: [{ value: 'SEA', name: 'SEA', count: 2 }],
  names: ['SEA', 'SKY'].map((name) => ({ value: name, name, count: 2 })),
  atLeast: [{ from: 3, count: 2 }],
  atMost: [{ from: 3, count: 2 }],
  flag: 2,
};
const facets = Object.fromEntries(facetEntries().map(({ facet, kind }) => [facet, COUNTS[kind]]));

describe('filterGroups', () => {
  it('has a control for every declared filter with a heading, in order', () => {
    const groups = filterGroups(facets, {}, NAMES);
    const headed = FILTER_ENTRIES.filter(([, { legend }]) => legend !== undefined);
    expect(groups.map(({ key, legend }) => [key, legend])).toEqual(
      headed.map(([key, { legend }]) => [key, legend]),
    );
    for (const group of groups)
      if (group.control === 'choices') expect(group.options[0]).toMatchObject({ count: 2 });
  });

  it('leaves out groups that are malformed or have nothing to choose, unless they are in use', () => {
    const keys = (sent: unknown, refine = {}) => filterGroups(sent, refine, NAMES).map(({ key }) => key);
    expect(keys(null)).toEqual([]);
    expect(keys({ ...facets, boards: 'many', bags: 0 })).not.toContain('boards');
    expect(keys({ ...facets, boards: 'many', bags: 0 })).not.toContain('bags');
    expect(keys({ ...facets, bags: 0 }, { bags: ['1'] })).toContain('bags');
    const [only] = COUNTS.names;
    expect(keys({ ...facets, regions: [only] })).not.toContain('regions');
    expect(keys({ ...facets, regions: [only] }, { regions: ['SEA'] })).toContain('regions');
  });

  it('lists only the strictest of limits that the same hotels pass, and always the chosen one', () => {
    const stars = [3, 4, 5].map((from) => ({ from, count: 7 }));
    const listed = (refine: object) => {
      const group = filterGroups({ stars }, refine, NAMES).find(({ key }) => key === 'minstars');
      return group?.control === 'choices' ? group.options.map(({ value }) => value) : [];
    };
    expect(listed({})).toEqual(['5']);
    expect(listed({ minstars: ['3'] })).toEqual(['3', '5']);
  });
});

it.each([
  ['price', '300-1200', '£300 to £1,200'],
  ['boards', 'AI', 'All-Inclusive'],
  ['minstars', '1', '1 star and up'],
  ['rating', '8', 'Guests: 8 and up'],
  ['out', '06:00-11:59', 'Out 06:00 to 11:59'],
  ['providers', 'SEA', 'Seaward Travel'],
  ['bags', '1', 'Bag included'],
  ['hotel', 'Miramar', 'Hotel: Miramar'],
] as const)('says %s=%s as %s', (key, value, words) => {
  expect(filterWords(key, value, NAMES)).toBe(words);
});
