import * as v from 'valibot';
import type { Caller } from '../../lib/caller.ts';
import type { ExecuteGraphql } from './execute-graphql.ts';

/** Runs a query of the search service. Rejects with a message for the assistant. */
export type AskSearch = <Data>(query: string, variables: Record<string, unknown>) => Promise<Data>;

const Answer = v.object({
  data: v.nullish(v.record(v.string(), v.unknown())),
  errors: v.optional(v.array(v.object({ message: v.string() }))),
});

/** Asks as the client would over HTTP, so that the same limits and costs apply. */
export function askSearch(executeGraphql: ExecuteGraphql, caller: Caller): AskSearch {
  return async <Data>(query: string, variables: Record<string, unknown>) => {
    const request = { query, variables, operationName: null, acceptEncoding: undefined };
    const response = await executeGraphql(request, caller);
    if (response.kind === 'too costly') throw new Error(response.message);
    if (response.kind === 'rate limited') throw new Error(tooMany(response.retryAfter));
    const { data, errors } = v.parse(Answer, JSON.parse(response.answer.body.toString()));
    if (errors?.[0] !== undefined) throw new Error(errors[0].message);
    return data as Data;
  };
}

export function tooMany(seconds: number): string {
  return `Too many searches. Try again in ${seconds} seconds.`;
}
