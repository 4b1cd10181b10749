import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { PRICE_ANALYSIS_QUERY } from '../../domain/price-analysis-response.ts';
import { schema } from '../package-search/graphql/schema.ts';
import { PRICE_ANALYSIS_TYPES } from './price-analysis-types.ts';

describe('The GraphQL types of the price analysis', () => {
  it('include every field that the widget requests', () => {
    expect(validate(schema, parse(PRICE_ANALYSIS_QUERY))).toEqual([]);
  });

  it('have a definition for each kind of field', () => {
    const lines = PRICE_ANALYSIS_TYPES.split('\n');
    expect(lines).toContain('price: Float!');
    expect(lines).toContain('prices: Int!');
    expect(lines).toContain('level: PriceLevel!');
    expect(lines).toContain('evidence: PriceEvidence');
    expect(lines).toContain('history: [PricePoint!]!');
    expect(lines).toContain('enum PriceLevel {');
  });
});
