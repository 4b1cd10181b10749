import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLInputObjectType, type GraphQLObjectType } from 'graphql';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { FILTER_ENTRIES, facetEntries, fieldsOf } from '../../../domain/filters.ts';
import { FACET_TYPES } from './facets.ts';
import { NO_REFINEMENTS, REFINE_TYPES, refinementsSchema } from './refinements.ts';

const schema = buildSchema(`type Query { facets: SearchFacets }\n${REFINE_TYPES}\n${FACET_TYPES}`);
const input = schema.getType('SearchRefinements') as GraphQLInputObjectType;
const facets = schema.getType('SearchFacets') as GraphQLObjectType;
const contract = readFileSync(new URL('../../../docs/contracts/graphql.md', import.meta.url), 'utf8');

describe.each(FILTER_ENTRIES)('The declared filter %s', (parameter, filter) => {
  it('has its fields in the schema and in the parsed request, and they let everything pass by default', () => {
    for (const field of fieldsOf(filter)) {
      expect(Object.keys(input.getFields())).toContain(field);
      expect(NO_REFINEMENTS).toHaveProperty(field);
    }
  });

  it('has its facet in the schema and in the contract, unless it is a text', () => {
    const counted = facetEntries().find(({ key }) => key === parameter);
    expect(counted === undefined).toBe(filter.kind === 'text');
    if (counted === undefined) return;
    expect(Object.keys(facets.getFields())).toContain(counted.facet);
    expect(contract).toContain(`\`${counted.facet}\``);
  });

  it('is in the contract, with its parameter in addresses', () => {
    const line = contract
      .split('\n')
      .find((each) => each.startsWith('- ') && each.includes(`\`${fieldsOf(filter)[0]}\``));
    expect(line).toBeDefined();
    const named = fieldsOf(filter).includes(parameter) ? '(the same)' : `(\`${parameter}\`)`;
    expect(line).toContain(named);
  });
});

it('refuses values outside of the limits and steps, and names the field', () => {
  const messageOf = (refine: object) => v.safeParse(refinementsSchema, refine).issues?.[0].message;
  expect(messageOf({ minStars: 3.25 })).toBe('must be a multiple of 0.5');
  expect(messageOf({ minStars: 8 })).toBe('must be a number from 0 to 7');
  expect(messageOf({ minGuestRating: -1 })).toBe('must be a number from 0 to 10');
  expect(messageOf({ outboundFrom: '24:00' })).toBe('must be a time of day (HH:MM)');
  expect(messageOf({ priceFrom: 2, priceTo: 1 })).toBe('must not be below priceFrom');
  expect(messageOf({ unheardOf: 1 })).toBeDefined();
  expect(v.parse(refinementsSchema, { boards: ['ai'], airlines: ['Air, Ltd'] })).toMatchObject({
    boards: ['AI'],
    airlines: ['Air, Ltd'],
  });
});
