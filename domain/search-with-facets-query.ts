import { SEARCH_PACKAGES_QUERY } from './search-query.ts';

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
      prices { from to count }
      boards { value name count }
      airports { value name count }
      airlines { value name count }
      providers { value name count }
      stars { from count }
      guestRatings { from count }
      outboundTimes { from to count }
      inboundTimes { from to count }
      bags
      freeChild
      otherPackages
      otherProviders { Brand TotalPrice }
    }
`,
  );
