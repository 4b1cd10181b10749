import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  valueFromASTUntyped,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { Collapse } from '../query/package-repository.ts';
import { isConditional, queryLimitErrors, unfoldingErrors } from './query-limits.ts';
import { type CostOfVariables, requestCost } from './request-cost.ts';
import type { SchemaContext } from './schema.ts';

/**
 * The most characters of query text in the cache. A compiled query takes up to a hundred times its text's memory.
 * The page has a few queries of 500 characters.
 */
const CACHED_CHARACTERS = 64 * 1_024;

/** Every field under ten aliases takes 400 tokens, so no useful query needs more. */
const MAX_TOKENS = 500;
const MAX_CHARACTERS = 16_384;

/** A block string of 16,000 lines is one token, but takes up to 60 ms to read. */
const MAX_LINES = 1_000;

/** Errors per response. Few, because graphql counts all lines before each one. */
const MAX_ERRORS = 5;

const TOO_LONG = refused(
  `A query can have at most ${MAX_CHARACTERS.toLocaleString('en-GB')} characters: send values as variables.`,
);
const TOO_MANY_LINES = refused(`A query can have at most ${MAX_LINES.toLocaleString('en-GB')} lines.`);

type Variables = Readonly<Record<string, unknown>>;

type RunQuery = (context: SchemaContext, variables: Variables) => Promise<ExecutionResult> | ExecutionResult;

export type Compiled =
  | {
      kind: 'query';
      run: RunQuery;
      costOf: CostOfVariables;
      /** Adds the query's defaults to the variables given, for `run` and `costOf`. */
      complete(given: Variables): Variables;
    }
  | { kind: 'refused'; errors: readonly GraphQLError[] };

/** Parses, validates, limits and compiles queries, and caches them. Interprets `@skip` and `@include`. */
export function compiledQueries(
  schema: GraphQLSchema,
  { introspection, collapse }: { introspection: boolean; collapse: Collapse },
) {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const cache = new LRUCache<string, Compiled>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (_query, key) => key.length,
  });

  function compile(text: string, operationName: string | null): Compiled {
    try {
      const document = parse(text, { maxTokens: MAX_TOKENS });
      const unfolding = unfoldingErrors(document);
      if (unfolding.length > 0) return { kind: 'refused', errors: unfolding };
      // A suggestion would reveal names of a hidden schema.
      const limits = { maxErrors: MAX_ERRORS, hideSuggestions: !introspection };
      const invalid = validate(schema, document, rules, limits);
      const errors = invalid.length > 0 ? invalid : queryLimitErrors(document);
      if (errors.length > 0) return { kind: 'refused', errors };
      const run = runnable(schema, document, operationName);
      if (typeof run !== 'function') return { kind: 'refused', errors: run };
      const costOf = requestCost(schema, document, collapse);
      return { kind: 'query', run, costOf, complete: defaultValues(document) };
    } catch (error) {
      if (error instanceof GraphQLError) return { kind: 'refused', errors: [error] };
      throw error;
    }
  }

  const keyOf = (text: string, operationName: string | null) => JSON.stringify([operationName, text]);

  return {
    /** The cached or quickly refused query; null for a new text, which takes milliseconds to compile. */
    known(text: string, operationName: string | null): Compiled | null {
      // Not cached, because the key would cost more than the entry saves.
      if (text.length > MAX_CHARACTERS) return TOO_LONG;
      if (text.split(/[\n\r]/, MAX_LINES + 1).length > MAX_LINES) return TOO_MANY_LINES;
      return cache.get(keyOf(text, operationName)) ?? null;
    },
    compile(text: string, operationName: string | null): Compiled {
      const compiled = compile(text, operationName);
      cache.set(keyOf(text, operationName), compiled);
      return compiled;
    },
  };
}

/**
 * Adds the defaults of a document's variables, because compiled queries ignore the default of a non-null
 * variable, and the cost depends on the values used.
 */
function defaultValues(document: DocumentNode): (given: Variables) => Variables {
  const defaults: Record<string, unknown> = Object.create(null);
  for (const { variable, defaultValue } of getOperationAST(document)?.variableDefinitions ?? []) {
    if (defaultValue !== undefined) defaults[variable.name.value] = valueFromASTUntyped(defaultValue);
  }
  return (given) => Object.assign(Object.create(null), defaults, given);
}

/** A function that runs a valid document, or the errors that prevent this. */
function runnable(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
): RunQuery | readonly GraphQLError[] {
  // graphql-jit 0.8.9 applies `@skip` and `@include` wrongly to reused fragments and repeated fields.
  // graphql-js is right and up to 2.5 times slower.
  if (isConditional(document))
    return (contextValue, variableValues) =>
      execute({ schema, document, operationName, contextValue, variableValues });
  const compiled = compileQuery(schema, document, operationName ?? undefined);
  if (!isCompiledQuery(compiled)) return compiled.errors ?? [];
  return (context, variables) => compiled.query({}, context, variables);
}

function refused(message: string): Compiled {
  return { kind: 'refused', errors: [new GraphQLError(message)] };
}
