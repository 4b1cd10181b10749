import {
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { queryLimitErrors } from './query-limits.ts';

/** Query texts whose compiled form is kept; the least recently used goes first. */
const KEPT_QUERIES = 200;

/** More tokens than this are no query for this schema, and would only cost time. */
const MOST_TOKENS = 1_000;

export type Compiled =
  | { kind: 'query'; query: CompiledQuery }
  | { kind: 'refused'; errors: readonly GraphQLError[] };

/** Parses, validates, limits and compiles query texts, each once. */
export function compiledQueries(
  schema: GraphQLSchema,
  { introspection }: { introspection: boolean },
): (text: string, operationName: string | null) => Compiled {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const kept = new Map<string, Compiled>();

  function compile(text: string, operationName: string | null): Compiled {
    try {
      const document = parse(text, { maxTokens: MOST_TOKENS });
      const invalid = validate(schema, document, rules);
      const errors = invalid.length > 0 ? invalid : queryLimitErrors(document);
      if (errors.length > 0) return { kind: 'refused', errors };
      const query = compileQuery(schema, document, operationName ?? undefined);
      return isCompiledQuery(query)
        ? { kind: 'query', query }
        : { kind: 'refused', errors: query.errors ?? [] };
    } catch (error) {
      if (error instanceof GraphQLError) return { kind: 'refused', errors: [error] };
      throw error;
    }
  }

  return (text, operationName) => {
    const name = JSON.stringify([operationName, text]);
    const compiled = kept.get(name) ?? compile(text, operationName);
    kept.delete(name);
    kept.set(name, compiled);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_QUERIES && oldest !== undefined) kept.delete(oldest);
    return compiled;
  };
}
