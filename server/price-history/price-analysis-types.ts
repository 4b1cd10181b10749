import {
  expectedPrice,
  lowestPrice,
  ownPrices,
  priceAbstention,
  priceAnalysisResponse,
  priceChange,
  priceEvidence,
  priceLevel,
  pricePoint,
  type ResponseField,
  similarPrices,
} from '../../domain/price-analysis-response.ts';
import { priceHistoryResponse, typicalPrices } from '../../domain/price-history-response.ts';

interface NamedType {
  name: string;
  description?: string;
  field: ResponseField;
  /** Descriptions of fields or enum values, by name. */
  notes?: Readonly<Record<string, string>>;
}

const NAMED_TYPES: readonly NamedType[] = [
  {
    name: 'PriceLevel',
    field: priceLevel,
    notes: {
      CHECK_PRICE: 'So far below what is usual that it is more likely a mistake.',
      NO_VERDICT: 'No verdict, for the reason in `abstention`.',
    },
  },
  {
    name: 'PriceAbstention',
    description: 'Why there is no verdict.',
    field: priceAbstention,
    notes: {
      STALE: 'The price was not seen in the last days.',
      FEW_PRICES: 'There are too few prices to compare with.',
      MIXED: "The price is outside the expected range, but not beyond the package's own median.",
    },
  },
  {
    name: 'PriceAnalysis',
    description: 'See docs/contracts/price-analysis.md. All money in pounds.',
    field: priceAnalysisResponse,
    notes: {
      asOf: 'When this price was last seen, ISO 8601 in UTC.',
      sentence: 'What is known about the price, in words.',
      abstention: 'Null unless the level is NO_VERDICT.',
      holiday: 'The school or bank holiday of the departure.',
      change: 'How the price has moved within 30 days; null if it was first seen today.',
      lowest30: 'The lowest price of the last 30 days.',
      advice: 'Whether waiting a week has paid for such prices, in words, from the price record.',
      expected: "The model's estimate; null without a model.",
    },
  },
  {
    name: 'PriceChange',
    field: priceChange,
    notes: { amount: 'Negative if the price has fallen.', since: 'The last day of the earlier price.' },
  },
  {
    name: 'PriceEvidence',
    field: priceEvidence,
    notes: {
      own: "The package's own prices, one for each day on which it was seen; null for fewer than seven.",
      similar: 'Null if there are too few similar packages.',
      knownSince: 'The first known day of the last 365.',
      sample: 'True if part of the history is generated for the sample market.',
      history: 'At most 30 points in ascending order.',
    },
  },
  { name: 'OwnPrices', field: ownPrices, notes: { prices: 'The number of prices.' } },
  {
    name: 'SimilarPrices',
    description: 'What similar packages in other hotels cost now, converted to the same party and room.',
    field: similarPrices,
    notes: {
      prices: 'The number of packages.',
      hotels: 'The number of their hotels.',
      comparedWith: 'What the packages have in common, in words.',
    },
  },
  {
    name: 'LowestPrice',
    field: lowestPrice,
    notes: { day: 'YYYY-MM-DD.', days: 'The number of the last 30 days on which a price was seen.' },
  },
  { name: 'PricePoint', field: pricePoint, notes: { day: 'YYYY-MM-DD.' } },
  {
    name: 'PriceHistory',
    description: 'See docs/contracts/price-history.md. All money in pounds for the party.',
    field: priceHistoryResponse,
    notes: {
      asOf: 'When this price was last seen, ISO 8601 in UTC.',
      from: 'The first day of the 90 that the history covers, YYYY-MM-DD.',
      prices: 'One for each day on which a price was seen, in ascending order. Other days are omitted.',
      lowest30: 'The lowest price of the last 30 days.',
      typical: 'The range of the price analysis; null without a model.',
      similar: 'Null if there are too few similar packages.',
      sample: 'True if part of the history is generated for the sample market.',
    },
  },
  { name: 'TypicalPrices', description: 'Four prices in five are within.', field: typicalPrices },
  {
    name: 'ExpectedPrice',
    field: expectedPrice,
    notes: { low: 'Four prices in five are from low to high.' },
  },
];

/** The GraphQL types of the price analysis, in the schema definition language. */
export const PRICE_ANALYSIS_TYPES = NAMED_TYPES.map(typeDefinition).join('\n');

function typeDefinition({ name, description, field, notes = {} }: NamedType): string {
  const line = (member: string, type: string) => `${described(notes[member])}${member}${type}`;
  const keyword = field.type === 'picklist' ? 'enum' : 'type';
  const members =
    field.type === 'picklist'
      ? field.options.map((option) => line(option, ''))
      : field.type === 'object'
        ? Object.entries(field.entries).map(([member, inner]) => line(member, `: ${typeReference(inner)}`))
        : [];
  return `${described(description)}${keyword} ${name} {\n${members.join('\n')}\n}`;
}

function described(words: string | undefined): string {
  return words === undefined ? '' : `${JSON.stringify(words)}\n`;
}

/** The type of a field, such as `[PricePoint!]!`. */
function typeReference(field: ResponseField): string {
  switch (field.type) {
    case 'string':
      return 'String!';
    case 'boolean':
      return 'Boolean!';
    case 'number':
      return field.pipe?.some(({ type }) => type === 'integer') ? 'Int!' : 'Float!';
    case 'array':
      return `[${typeReference(field.item)}]!`;
    case 'nullable':
      return typeReference(field.wrapped).replace(/!$/, '');
    case 'picklist':
    case 'object': {
      const named = NAMED_TYPES.find((type) => type.field === field);
      if (named === undefined) throw new Error(`A price response has a ${field.type} without a GraphQL type`);
      return `${named.name}!`;
    }
  }
}
