import { GraphQLError } from 'graphql';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { type Caller, heldBackFor } from '../lib/caller.ts';
import { tokenBuckets } from '../lib/token-buckets.ts';
import type { EventLoopTurns, RequestTurn } from '../lib/work-queue/turns.ts';
import type { PriceAnalysisQuery } from '../price-history/price-analysis-query.ts';
import type { PriceHistoryQuery } from '../price-history/price-history-query.ts';
import type { CheapestDates } from './cheapest-dates.ts';
import { compiledQueries } from './compiled-queries.ts';
import { type Explore, roomForPlaces } from './explore.ts';
import type { Collapse } from './package-repository.ts';
import type { PriceCalendar } from './price-calendar.ts';
import { type SchemaContext, schema } from './schema.ts';
import type { SearchCaller } from './search-caller.ts';
import { costRefusal, fieldUnits, type RootField, sizeClass, timeOfUnits } from './search-cost.ts';
import type { SearchAnswer, SearchPackages, SearchRefusal } from './search-packages.ts';
import { type SharedAnswerTime, sharedAnswerTime } from './shared-answer-time.ts';

export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | null;
}

/** `text`: the JSON text of the result; mistakes in the request are in its `errors`. */
export type GraphqlAnswer =
  | { kind: 'answer'; text: string }
  | { kind: 'too costly'; message: string }
  /** `retryAfter`: seconds. */
  | { kind: 'too many texts'; message: string; retryAfter: number };

/** Answers a GraphQL request. What it costs is known before anything runs. */
export type AnswerGraphql = (request: GraphqlRequest, caller: Caller) => Promise<GraphqlAnswer>;

/** A caller whose request has its turn. */
type Asker = Caller & RequestTurn;

const OPERATION_NAME = 'searchPackages';

/**
 * Query texts of one network that are new to the server. Each takes tens of milliseconds to read and compile, and no page
 * has more than a few; what differs from search to search are variables.
 */
const NEW_TEXTS = { perMinute: 60, burst: 30 };

const TOO_MANY_TEXTS =
  'These are too many different queries at once. Send values as variables, so that the text stays the same.';

/**
 * GraphQL over the package search, the price analysis, the cheapest dates, the calendar of prices and the cheapest
 * places. The page's query takes a direct path from item texts to the answer's text. Every other query, and every
 * refusal, goes through the compiled schema, which gives the same answer.
 */
export function graphqlAnswers(
  search: Readonly<Record<'direct' | 'schema', SearchPackages>>,
  others: {
    priceAnalysis: PriceAnalysisQuery;
    priceHistory: PriceHistoryQuery;
    cheapestDates: CheapestDates;
    priceCalendar: PriceCalendar;
    explore: Explore;
  },
  options: { introspection: boolean; collapse: Collapse; turns: EventLoopTurns },
): AnswerGraphql {
  const compiled = compiledQueries(schema, options);
  const { take: takeNewText } = tokenBuckets(NEW_TEXTS, () => performance.now());

  /**
   * Searches for one field of a request, with time set aside for its answer. Throws `Overloaded` if nothing that is found
   * could be made into an answer in time.
   */
  function searched<T>(
    caller: Asker,
    { units, requestUnits }: Pick<SearchCaller, 'units' | 'requestUnits'>,
    answerTime: SharedAnswerTime,
    search: (caller: SearchCaller) => Promise<T>,
  ): Promise<T> {
    const isSmall = sizeClass(requestUnits) === 'small';
    if (isSmall) options.turns.smallRequest(caller);
    const rest = (ms: number) => options.turns.rest(caller, ms, isSmall ? 'small request' : 'large request');
    const inThread: SearchCaller['inThread'] = (cost, work) =>
      options.turns.inThread(caller, timeOfUnits(cost), work);
    const searching = { ...caller, units, requestUnits, rest, inThread };
    // The turn in which a small request was read is long enough for its answer, if its search was there too.
    if (isSmall && !caller.isHeldBack)
      return search({ ...searching, answerTurn: () => (caller.isOver() ? rest(0) : null) });
    return answerTime.during((answerTurn) => search({ ...searching, answerTurn }));
  }

  /** Gives back what was set aside for an answer and not taken, whatever became of the work. */
  async function withAnswerTime<T>(caller: Asker, work: (time: SharedAnswerTime) => Promise<T>): Promise<T> {
    const time = sharedAnswerTime(() => options.turns.reserveAnswer(caller));
    try {
      return await work(time);
    } finally {
      time.release();
    }
  }

  /** What resolves the fields of one request. `noteFailure` throws what it notes. */
  function fieldsFor(
    caller: Asker,
    requestUnits: number,
    answerTime: SharedAnswerTime,
    noteFailure: (error: unknown) => never,
  ): SchemaContext {
    const askedBy = async <T>(
      field: RootField,
      args: unknown,
      search: (asker: SearchCaller) => Promise<T>,
    ): Promise<T> => {
      try {
        const units = fieldUnits(field, args, options.collapse);
        return await searched(caller, { units, requestUnits }, answerTime, search);
      } catch (error) {
        return noteFailure(error);
      }
    };
    const room = roomForPlaces();
    return {
      async searchPackages(args) {
        const outcome = await askedBy('searchPackages', args, (asker) => search.schema(args, asker));
        if (outcome.kind !== 'answer') throw graphqlError(outcome);
        return JSON.parse(answerText(outcome));
      },
      async priceAnalysis(args) {
        const outcome = await others.priceAnalysis(args, caller).catch(noteFailure);
        if (outcome.kind !== 'analyses') throw graphqlError(outcome);
        return outcome.analyses;
      },
      async priceHistory(args) {
        const outcome = await others.priceHistory(args, caller).catch(noteFailure);
        if (outcome.kind !== 'history') throw graphqlError(outcome);
        return outcome.history;
      },
      async cheapestDates(args) {
        const outcome = await askedBy('cheapestDates', args, (asker) => others.cheapestDates(args, asker));
        if (outcome.kind !== 'dates') throw graphqlError(outcome);
        return outcome.dates;
      },
      async priceCalendar(args) {
        const outcome = await askedBy('priceCalendar', args, (asker) => others.priceCalendar(args, asker));
        if (outcome.kind !== 'prices') throw graphqlError(outcome);
        return outcome.prices;
      },
      async explore(args) {
        const outcome = await askedBy('explore', args, (asker) => others.explore(args, asker, room));
        if (outcome.kind !== 'places') throw graphqlError(outcome);
        return outcome.places;
      },
    };
  }

  async function answerBySchema(request: GraphqlRequest, caller: Asker): Promise<GraphqlAnswer> {
    const { query, operationName } = request;
    const known = compiled.known(query, operationName);
    const retryAfter = known === null && caller.isLocal !== true ? takeNewText(caller.network) : 0;
    if (retryAfter > 0) return { kind: 'too many texts', message: TOO_MANY_TEXTS, retryAfter };
    const found = known ?? compiled.compile(query, operationName);
    if (found.kind === 'refused') return answer(JSON.stringify({ errors: found.errors }));
    const variables = found.complete(request.variables);
    const requestUnits = found.costOf(variables);
    if (typeof requestUnits !== 'number') return answer(JSON.stringify({ errors: requestUnits }));
    const refusal = costRefusal(requestUnits);
    if (refusal !== null) return { kind: 'too costly', message: refusal };

    // When one field has failed, nobody reads the others.
    const failed = new AbortController();
    const signals = caller.signal === null ? [] : [caller.signal];
    const signal = AbortSignal.any([...signals, failed.signal]);
    const failures: unknown[] = [];
    const noteFailure = (error: unknown) => {
      failures.push(error);
      failed.abort();
      throw error;
    };
    const asking = { ...caller, signal };
    const result = await withAnswerTime(asking, async (time) =>
      found.run(fieldsFor(asking, requestUnits, time, noteFailure), variables),
    );
    // An internal failure answers 500, and its message goes to the log only.
    if (failures.length > 0) throw new Error('The query failed', { cause: failures[0] });
    return answer(JSON.stringify(result));
  }

  return async (request, caller) => {
    const turn = await options.turns.request(caller);
    const asker = { ...heldBackFor(caller, turn.heldBackMs), ...turn };
    if (isPageQuery(request)) {
      const units = fieldUnits('searchPackages', request.variables, options.collapse);
      const outcome = await withAnswerTime(asker, (time) =>
        searched(asker, { units, requestUnits: units }, time, (searcher) =>
          search.direct(request.variables, searcher),
        ),
      );
      if (outcome.kind === 'answer') {
        return answer(`{"data":{"searchPackages":${answerText(outcome)}}}`);
      }
    }
    return answerBySchema(request, asker);
  };
}

function answer(text: string): GraphqlAnswer {
  return { kind: 'answer', text };
}

function isPageQuery({ query, operationName }: GraphqlRequest): boolean {
  return query === SEARCH_PACKAGES_QUERY && (operationName === null || operationName === OPERATION_NAME);
}

function graphqlError(refusal: SearchRefusal): GraphQLError {
  return new GraphQLError(refusal.message, {
    extensions:
      refusal.kind === 'bad-token' ? { code: 'BAD_TOKEN' } : { code: 'BAD_USER_INPUT', field: refusal.field },
  });
}

/** The JSON text of `SearchPackagesAnswer`, with every field in the order of `SEARCH_PACKAGES_QUERY`. */
function answerText(answer: SearchAnswer): string {
  // Concatenated strings are copied once, when the whole is sent; `join` copies them twice.
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
