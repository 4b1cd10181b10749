import type { Pence } from '../../domain/money.ts';
import { judgePrice, MIN_HOTELS, MIN_PRICES, type VerdictInput } from '../../domain/price-verdict.ts';

/** A price that misleads, made from a package's expected price, and what the product must not say of it. */
export interface Trick {
  name: string;
  played(input: VerdictInput, expected: Pence): VerdictInput;
  /** The kinds of answer that are right; 'low' is never among them. */
  allowed: readonly Answer[];
}

export type Answer = 'low' | 'typical' | 'high' | 'check-price' | 'no-verdict';

const JUDGED: readonly Answer[] = ['typical', 'high', 'no-verdict'];

const times = (count: number, price: Pence): Pence[] =>
  Array.from({ length: count }, () => Math.round(price));

/** A price that is high on some days of each week, and low today. */
const cycle = (high: number, days: number, price: Pence): Pence[] =>
  Array.from({ length: 84 }, (_, day) => Math.round(day % days < high ? price * 1.25 : price));

export const TRICKS: readonly Trick[] = [
  {
    name: 'seen once, 60 days ago',
    played: (input) => ({ ...input, ownPrices: [input.price], daysSinceSeen: 60 }),
    allowed: ['no-verdict'],
  },
  {
    name: 'seen on six days',
    played: (input) => ({ ...input, ownPrices: input.ownPrices.slice(-6) }),
    allowed: ['no-verdict', 'check-price'],
  },
  {
    name: 'comparable packages in two other hotels',
    played: (input) => ({ ...input, comparables: { ...input.comparables, hotels: 2 } }),
    allowed: ['no-verdict', 'check-price'],
  },
  {
    name: 'a fifth dearer for its first eight days, then at the market',
    played: (input, price) => ({ ...input, price, ownPrices: [...times(8, price * 1.19), price] }),
    allowed: JUDGED,
  },
  {
    name: 'at the market for 40 days, 30% dearer for 59, now 8% dearer',
    played: (input, price) => ({
      ...input,
      price: Math.round(price * 1.08),
      ownPrices: [...times(40, price), ...times(59, price * 1.3), Math.round(price * 1.08)],
    }),
    allowed: JUDGED,
  },
  {
    name: 'a quarter dearer on four days of seven',
    played: (input, price) => ({ ...input, price, ownPrices: cycle(4, 7, price) }),
    allowed: JUDGED,
  },
  {
    name: 'a quarter dearer on six days of seven',
    played: (input, price) => ({ ...input, price, ownPrices: cycle(6, 7, price) }),
    allowed: JUDGED,
  },
  {
    name: 'raised by half a percent a day for 60 days, then cut to the market',
    played: (input, price) => ({
      ...input,
      price,
      ownPrices: [...Array.from({ length: 60 }, (_, day) => Math.round(price * (1 + day * 0.005))), price],
    }),
    allowed: JUDGED,
  },
  {
    name: 'cut to 1% above the expected price from 60% above it',
    played: (input, price) => ({
      ...input,
      price: Math.round(price * 1.01),
      ownPrices: [...times(89, price * 1.6), Math.round(price * 1.01)],
    }),
    allowed: JUDGED,
  },
  {
    name: 'a tenth of the price',
    played: (input, price) => slipped(input, price / 10),
    allowed: ['check-price'],
  },
  {
    name: 'the price of one of two',
    played: (input, price) => slipped({ ...input, ownPrices: times(60, price) }, price / 2),
    allowed: ['check-price', 'no-verdict'],
  },
];

function slipped(input: VerdictInput, price: number): VerdictInput {
  return { ...input, price: Math.round(price), ownPrices: [...input.ownPrices, Math.round(price)] };
}

export function answerOf(input: VerdictInput): Answer {
  const verdict = judgePrice(input);
  return verdict.kind === 'verdict' ? verdict.level : verdict.kind;
}

/** A sentence for each way in which the verdict on a package contradicts itself or its evidence. */
export function contradictions(input: VerdictInput): string[] {
  const { price, ownPrices, comparables, expected } = input;
  const verdict = judgePrice(input);
  if (verdict.kind !== 'verdict') return [];
  const { level, typicalLow, typicalHigh, own, comparable } = verdict;
  const found: [boolean, string][] = [
    [level === 'high' && price < (expected?.low ?? 0), 'High below the expected range'],
    [level === 'high' && price < (expected?.price ?? 0), 'High below the expected price'],
    [level === 'low' && price > (expected?.high ?? Number.POSITIVE_INFINITY), 'Low above the expected range'],
    [
      level === 'low' && price > (expected?.price ?? Number.POSITIVE_INFINITY),
      'Low above the expected price',
    ],
    [comparable.hotels < MIN_HOTELS || comparables.prices.length < MIN_PRICES, 'too few comparable packages'],
    [ownPrices.length < MIN_PRICES, 'too few own prices'],
    [Math.min(own.median, comparable.median) < typicalLow, 'a range above a median'],
    [Math.max(own.median, comparable.median) > typicalHigh, 'a range below a median'],
    [typicalHigh < typicalLow * 1.2, 'a range under a fifth wide'],
    [(level === 'low') !== price < typicalLow, 'a word against its range'],
    [(level === 'high') !== price > typicalHigh, 'a word against its range'],
  ];
  return found.flatMap(([isFault, text]) => (isFault ? [text] : []));
}
