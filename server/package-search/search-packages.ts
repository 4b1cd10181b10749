import { UnknownRecord } from './catalogue.ts';
import { type CurrentCatalogue, currentCatalogue } from './current-catalogue.ts';
import { toPackageQuestion } from './package-question.ts';
import type { Collapse, FoundPage, PackageRepository } from './package-repository.ts';
import { type PageState, type PageTokens, pageTokens } from './page-token.ts';
import { parseSearchRequest } from './search-request.ts';

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
  const { repository, brandCode, collapse, now } = setting;
  const tokens: PageTokens = pageTokens(setting.tokenKey, collapse, now);
  const current = currentCatalogue(repository);

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

    const { catalogue } = await current.asKnown();
    const question = toPackageQuestion(request, catalogue, { brandCode, collapse, nowMs: now() });
    const found =
      question === null
        ? NOTHING
        : await repository.search({
            ...question,
            after: from?.after ?? null,
            knownCount: from?.count ?? null,
          });
    return {
      kind: 'answer',
      items: await itemsOf(found.offers, current),
      nextToken: found.next && tokens.issue(request, { after: found.next, count: found.count }),
      count: found.count,
      hasMoreData: found.next !== null,
      queriesExecuted: found.statements,
    };
  };
}

/** The dictionaries may have been replaced since the question: what was found now is named by what is there now. */
async function itemsOf(offers: FoundPage['offers'], current: CurrentCatalogue): Promise<string[]> {
  try {
    return offers.map((await current.asKnown()).itemText);
  } catch (error) {
    if (!(error instanceof UnknownRecord)) throw error;
    return offers.map((await current.readAnew()).itemText);
  }
}
