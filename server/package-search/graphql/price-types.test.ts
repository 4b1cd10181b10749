import {
  type GraphQLType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  PRICE_ANALYSIS_QUERY,
  priceAnalysisResponse,
  type ResponseField,
} from '../../../domain/price-analysis-response.ts';
import { PRICE_HISTORY_QUERY, priceHistoryResponse } from '../../../domain/price-history-response.ts';
import { schema } from './schema.ts';

/** The type as the response's schema has it: scalars by name, objects and enums by their members. */
function ofField(field: ResponseField): unknown {
  switch (field.type) {
    case 'nullable':
      return { orNull: ofField(field.wrapped) };
    case 'array':
      return [ofField(field.item)];
    case 'object':
      return Object.fromEntries(Object.entries(field.entries).map(([name, inner]) => [name, ofField(inner)]));
    case 'picklist':
      return field.options;
    case 'number':
      return field.pipe?.some(({ type }) => type === 'integer') ? 'Int' : 'Float';
    case 'string':
    case 'boolean':
      return { string: 'String', boolean: 'Boolean' }[field.type];
  }
}

/** The same of a type of the GraphQL schema. */
function ofType(type: GraphQLType): unknown {
  if (!isNonNullType(type)) return { orNull: ofNamed(type) };
  return ofNamed(type.ofType);
}

function ofNamed(type: GraphQLType): unknown {
  if (isListType(type)) return [ofType(type.ofType)];
  if (isEnumType(type)) return type.getValues().map(({ name }) => name);
  if (!isObjectType(type)) return String(type);
  return Object.fromEntries(
    Object.entries(type.getFields()).map(([name, field]) => [name, ofType(field.type)]),
  );
}

describe('The GraphQL types of prices', () => {
  it.each([
    ['PriceAnalysis', priceAnalysisResponse, PRICE_ANALYSIS_QUERY],
    ['PriceHistory', priceHistoryResponse, PRICE_HISTORY_QUERY],
  ] as const)('are those that the page and the widget read: %s', (name, response, query) => {
    const type = schema.getType(name);
    expect(type && ofNamed(type as GraphQLType)).toEqual(ofField(response));
    expect(validate(schema, parse(query))).toEqual([]);
  });
});
