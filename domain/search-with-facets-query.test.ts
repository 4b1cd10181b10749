import { parse, print } from 'graphql';
import { expect, it } from 'vitest';
import { SEARCH_PACKAGES_QUERY } from './search-query.ts';
import { SEARCH_WITH_FACETS_QUERY } from './search-with-facets-query.ts';

it('SEARCH_WITH_FACETS_QUERY is the query of the page with refine and facets', () => {
  const text = print(parse(SEARCH_WITH_FACETS_QUERY));
  expect(text).toContain('refine: $refine');
  const without = text
    .replace('$refine: SearchRefinements, ', '')
    .replace(/ +refine: \$refine\n/, '')
    .replace(/ {4}facets \{[\s\S]*?\n {4}\}\n/, '');
  expect(without).toBe(print(parse(SEARCH_PACKAGES_QUERY)));
});
