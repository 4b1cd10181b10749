import {
  type AnswerField,
  dropChance,
  expectedPrice,
  priceAnalysisAnswer,
  priceComparison,
  priceEvidence,
  priceLevel,
  pricePoint,
  priceReason,
} from '../../domain/price-analysis-answer.ts';

interface NamedType {
  name: string;
  description?: string;
  field: AnswerField;
  /** Descriptions of fields or enum values, by name. */
  notes?: Readonly<Record<string, string>>;
}

const NAMED_TYPES: readonly NamedType[] = [
  {
    name: 'PriceLevel',
    field: priceLevel,
    notes: {
      NOT_ENOUGH_PRICES:
        'Fewer than seven prices of the package or of comparable ones: no evidence is given.',
    },
  },
  {
    name: 'PriceAnalysis',
    description: 'See docs/contracts/price-analysis.md. All money in pounds.',
    field: priceAnalysisAnswer,
    notes: {
      asOf: 'When this price was last seen, ISO 8601 in UTC.',
      drop: 'Given where it is calibrated.',
    },
  },
  {
    name: 'PriceEvidence',
    field: priceEvidence,
    notes: {
      own: 'This price against what the package itself has cost, a price a day.',
      comparable: 'This price against comparable packages as they cost now.',
      comparedWith: 'What the comparable packages have in common, in words.',
      windowDays: "The window of the package's own prices, in days, and the first of them that is known.",
      sample: "True where a part of the history is a sample market's invention.",
      history: 'At most 30 points, in the order of time.',
    },
  },
  {
    name: 'PriceComparison',
    field: priceComparison,
    notes: {
      prices: 'How many prices the median is of.',
      percent: 'The price against the median; -20 is a fifth below it.',
      strong: 'True from 25% on.',
    },
  },
  { name: 'PricePoint', field: pricePoint, notes: { day: 'YYYY-MM-DD.' } },
  {
    name: 'ExpectedPrice',
    field: expectedPrice,
    notes: {
      low: 'Four prices out of five lie between low and high.',
      reasons: 'The two largest, the largest first.',
    },
  },
  { name: 'PriceReason', field: priceReason, notes: { amount: 'Against the usual package.' } },
  {
    name: 'DropChance',
    description: 'Of a drop of 5% or more within seven days; from 0 to 1.',
    field: dropChance,
    notes: { baseRate: 'How often it happened, whatever the package.' },
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
function typeReference(field: AnswerField): string {
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
      if (named === undefined)
        throw new Error(`The price analysis has a ${field.type} without a GraphQL type`);
      return `${named.name}!`;
    }
  }
}
