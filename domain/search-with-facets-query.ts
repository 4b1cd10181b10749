import { type CountedKind, facetEntries } from './filters.ts';
import { SEARCH_PACKAGES_QUERY } from './search-query.ts';

const SELECTIONS: Record<CountedKind, string> = {
  pounds: ' { from to count }',
  times: ' { from to count }',
  codes: ' { value name count }',
  names: ' { value name count }',
  atLeast: ' { from count }',
  atMost: ' { from count }',
  flag: '',
};

const FACETS = facetEntries().map(({ facet, kind }) => `      ${facet}${SELECTIONS[kind]}\n`);

/**
 * The page's query with further filters and their facets, for a server that offers them. Skylark's
 * server handles this exact text faster, too.
 */
export const SEARCH_WITH_FACETS_QUERY = SEARCH_PACKAGES_QUERY.replace(
  '$sortBy: PackageSort',
  '$refine: SearchRefinements, $sortBy: PackageSort',
)
  .replace('sortBy: $sortBy', 'refine: $refine, sortBy: $sortBy')
  .replace(
    '    totalReturned\n',
    `    totalReturned
    facets {
      minPrice
      maxPrice
${FACETS.join('')}      otherPackages
      otherProviders { Brand TotalPrice }
    }
`,
  );
