import { type ItemText, itemTexts } from './item-text.ts';
import { toPackageQuestion } from './package-query.ts';
import type { Collapse, FoundPage, PackageRepository } from './package-repository.ts';
import { type PageState, pageTokens } from './page-token.ts';
import { parseSearchRequest } from './search-request.ts';
import type { StoreState } from './store-state.ts';

/** What a search answers (Section 7): `items` are JSON texts in their order. */
export interface SearchAnswer {
  kind: 'answer';
  items: string[];
  nextToken: string | null;
  count: number;
  hasMoreData: boolean;
  queriesExecuted: number;
}

export type SearchRefusal =
  | { kind: 'bad-input'; field: string; message: string }
  | { kind: 'bad-token'; message: string };

/** Searches by the unchecked variables of `searchPackages`. */
export type SearchPackages = (variables: unknown) => Promise<SearchAnswer | SearchRefusal>;

export interface SearchSetting {
  repository: PackageRepository;
  brandCode: string;
  collapse: Collapse;
  /** Signs page tokens. */
  tokenKey: Uint8Array;
  /** Milliseconds since 1970. */
  now: () => number;
}

const NOTHING: FoundPage = { offers: [], next: null, count: 0, statements: 0 };

/** The search service over a store: variables in, checked; one page of item texts out. */
export function packageSearch(setting: SearchSetting): SearchPackages {
  const { repository, brandCode, collapse, tokenKey, now } = setting;
  const tokens = pageTokens(tokenKey, collapse, now);
  /** Made texts are of use for as long as the dictionaries are the same. */
  const textsOf = new WeakMap<StoreState, ItemText>();

  function itemTextOf(state: StoreState): ItemText {
    const known = textsOf.get(state) ?? itemTexts(state.catalogue);
    textsOf.set(state, known);
    return known;
  }

  return async (variables) => {
    const parsed = parseSearchRequest(variables);
    if (parsed.kind === 'bad-input') return parsed;
    const { request } = parsed;
    let from: PageState | null = null;
    if (request.nextToken !== null) {
      const read = tokens.read(request, request.nextToken);
      if (read.kind === 'bad-token') return read;
      from = read;
    }

    const nowMs = now();
    const { pages, state } = await repository.search(({ version, catalogue }) => {
      const question = toPackageQuestion(request, catalogue, { brandCode, collapse, nowMs });
      if (question === null) return [];
      // What another state counted is no count of this one.
      const knownCount = from?.version === version ? from.count : null;
      return [{ ...question, after: from?.after ?? null, knownCount }];
    });
    const [found = NOTHING] = pages;
    const { count, next } = found;
    return {
      kind: 'answer',
      items: found.offers.map(itemTextOf(state)),
      nextToken: next && tokens.issue(request, { after: next, count, version: state.version }),
      count,
      hasMoreData: next !== null,
      queriesExecuted: found.statements,
    };
  };
}
