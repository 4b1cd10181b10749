import {
  comparablePrices,
  dropChance,
  expectedPrice,
  lowestPrice,
  priceAbstention,
  priceAnalysisResponse,
  priceComparison,
  priceEvidence,
  priceLevel,
  pricePoint,
  priceReason,
  type ResponseField,
} from '../../domain/price-analysis-response.ts';
import { priceHistoryResponse, similarPrices, typicalPrices } from '../../domain/price-history-response.ts';

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
      CHECK_PRICE: 'So far below the expected price that it is more likely a mistake: no evidence is given.',
      NOT_ENOUGH_PRICES: 'No verdict, for the reason in `abstention`: no evidence is given.',
    },
  },
  {
    name: 'PriceAbstention',
    description: 'Why there is no verdict.',
    field: priceAbstention,
    notes: {
      STALE: 'The price was not seen in the last days.',
      FEW_OWN_PRICES: 'The package was seen on fewer than seven days.',
      FEW_COMPARABLE_PRICES: 'There are fewer than seven comparable packages.',
      FEW_COMPARABLE_HOTELS: 'The comparable packages are in fewer than three other hotels.',
    },
  },
  {
    name: 'PriceAnalysis',
    description: 'See docs/contracts/price-analysis.md. All money in pounds.',
    field: priceAnalysisResponse,
    notes: {
      asOf: 'When this price was last seen, ISO 8601 in UTC.',
      sentence: 'The reason for the level, in words.',
      abstention: 'Null unless the level is NOT_ENOUGH_PRICES.',
      holiday: 'The school or bank holiday of the departure.',
      lowest30: 'The lowest price of the last 30 days.',
      drop: 'Deprecated: always null.',
      advice: 'Whether waiting a week has paid for such prices, in words, from the price record.',
    },
  },
  {
    name: 'PriceEvidence',
    field: priceEvidence,
    notes: {
      typicalLow: 'The level is LOW below it.',
      typicalHigh: 'The level is HIGH above it.',
      own: "This price compared with the package's own prices, one for each day on which it was seen.",
      comparable: 'This price compared with the current prices of comparable packages in other hotels.',
      strong: 'True if a LOW or HIGH price differs from both medians by at least 25%.',
      comparedWith: 'What the comparable packages have in common, in words.',
      windowDays: "The window of the package's own prices, in days.",
      knownSince: 'The first known day of the window.',
      sample: 'True if part of the history is generated for the sample market.',
      history: 'At most 30 points in ascending order.',
    },
  },
  {
    name: 'PriceComparison',
    field: priceComparison,
    notes: {
      prices: 'The number of prices.',
      percent: 'The difference from the median; -20 is 20% below it.',
    },
  },
  {
    name: 'ComparablePrices',
    field: comparablePrices,
    notes: { prices: 'The number of packages.', hotels: 'The number of their hotels.' },
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
      price: 'The current price.',
      asOf: 'When this price was last seen, ISO 8601 in UTC.',
      from: 'The first day of the 90 that the history covers, YYYY-MM-DD.',
      to: 'The last day.',
      prices: 'One for each day on which a price was seen, in ascending order. Other days are omitted.',
      lowest30: 'The lowest price of the last 30 days.',
      typical: 'The range of the price analysis; null without a verdict.',
      similar: 'Null if there are too few comparable packages.',
      sample: 'True if part of the history is generated for the sample market.',
    },
  },
  {
    name: 'TypicalPrices',
    description: 'A price below is LOW, a price above is HIGH.',
    field: typicalPrices,
  },
  {
    name: 'SimilarPrices',
    description: 'What comparable packages in other hotels cost now.',
    field: similarPrices,
    notes: {
      low: 'Half of their prices lie between low and high.',
      prices: 'The number of packages.',
      hotels: 'The number of their hotels.',
      comparedWith: 'What the packages have in common, in words.',
    },
  },
  {
    name: 'ExpectedPrice',
    field: expectedPrice,
    notes: {
      low: 'Four of five prices are between low and high.',
      reasons: 'The two largest reasons, largest first.',
    },
  },
  { name: 'PriceReason', field: priceReason, notes: { amount: 'Relative to the average package.' } },
  { name: 'DropChance', description: 'Deprecated: unused.', field: dropChance },
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
