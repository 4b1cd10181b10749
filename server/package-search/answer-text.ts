import type { SearchAnswer } from './search-packages.ts';

/** The JSON text of `SearchPackagesAnswer`, every field of it in the order of `SEARCH_PACKAGES_QUERY`. */
export function answerText(answer: SearchAnswer): string {
  // Added one to another they are copied once, when the whole is sent; joined, twice.
  let items = '';
  for (const item of answer.items) items += items === '' ? item : `,${item}`;
  return `{"items":[${items}],${JSON.stringify({
    nextToken: answer.nextToken,
    count: answer.count,
    errors: null,
    hasMoreData: answer.hasMoreData,
    queriesExecuted: answer.queriesExecuted,
    totalReturned: answer.items.length,
  }).slice(1)}`;
}
