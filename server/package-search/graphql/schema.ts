import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type GraphQLResolveInfo } from 'graphql';
import { FACET_TYPES } from '../query/facets.ts';
import { REFINE_TYPES } from '../query/refinements.ts';
import { type ParsedField, parseField, ROOT_FIELDS } from '../query/search-request.ts';
import { nameInResponse, type ParsedFields, selectsFacets } from './request-cost.ts';

/** Resolves the schema's root fields. */
export interface SchemaContext {
  /** The arguments that were parsed for the cost of the request. */
  fields: ParsedFields;
  resolve(field: ParsedField, hasFacets: boolean): Promise<unknown>;
}

/** The contract of `POST /graphql` (docs/contracts/graphql.md). */
export const schema = buildSchema(
  [readFileSync(join(import.meta.dirname, 'schema.graphql'), 'utf8'), REFINE_TYPES, FACET_TYPES].join('\n'),
);

const definitions = schema.getQueryType()?.getFields() ?? {};
for (const root of ROOT_FIELDS) {
  const definition = definitions[root];
  if (definition === undefined) continue;
  definition.resolve = (
    _root,
    variables: unknown,
    { fields, resolve }: SchemaContext,
    { fieldNodes, fragments }: GraphQLResolveInfo,
  ) => {
    const parsed = fieldNodes[0] && fields.get(nameInResponse(fieldNodes[0]));
    return resolve(
      parsed ?? parseField(root, variables),
      selectsFacets(fieldNodes, new Map(Object.entries(fragments))),
    );
  };
}
