import type { SearchAnswer } from './search-packages.ts';

/** The JSON text of `SearchPackagesAnswer`, every field of it in the order of `SEARCH_PACKAGES_QUERY`. */
export function answerText(answer: SearchAnswer): string {
  return `{"items":[${answer.items.join(',')}],${JSON.stringify({
    nextToken: answer.nextToken,
    count: answer.count,
    errors: null,
    hasMoreData: answer.hasMoreData,
    queriesExecuted: answer.queriesExecuted,
    totalReturned: answer.items.length,
  }).slice(1)}`;
}
