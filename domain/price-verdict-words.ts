import { formatWholePounds, type Pence } from './money.ts';
import type { PriceAbstention, PriceLevel, PriceVerdict } from './price-verdict.ts';

export const PRICE_LEVEL_LABEL: Readonly<Record<PriceLevel, string>> = {
  low: 'Low',
  typical: 'Typical',
  high: 'High',
};

export const CHECK_PRICE = 'Check this price';

export const NOT_ENOUGH_PRICES = 'Not enough prices yet';

/** One or two words for a verdict. */
export function verdictLabel(verdict: PriceVerdict): string {
  if (verdict.kind === 'verdict') return PRICE_LEVEL_LABEL[verdict.level];
  return verdict.kind === 'check-price' ? CHECK_PRICE : NOT_ENOUGH_PRICES;
}

/**
 * The reason for a verdict, or for having none. A Low or High price is below or above both medians; a Typical one is
 * only said to be within its range, because a percentage beside 'Typical' reads as a contradiction.
 */
export function verdictSentence(verdict: PriceVerdict): string {
  if (verdict.kind === 'check-price') {
    return `Far below the ${pounds(verdict.expected)} that it should cost. It may be a mistake, or per person`;
  }
  if (verdict.kind === 'no-verdict') return abstentionSentence(verdict.reason);
  const { level, typicalLow, typicalHigh, own, comparable } = verdict;
  if (level === 'typical') {
    return `Between ${pounds(typicalLow)} and ${pounds(typicalHigh)}, as usual for this and similar holidays`;
  }
  return `${against(own.percent)} its usual price, ${against(comparable.percent)} similar holidays`;
}

/** '12% below', '3% above', 'Level with'. Truncated, so that 14.9% does not read as 15%. */
export function against(percent: number): string {
  const whole = Math.floor(Math.abs(percent));
  if (whole === 0) return 'level with';
  return `${whole}% ${percent < 0 ? 'below' : 'above'}`;
}

function abstentionSentence(reason: PriceAbstention): string {
  switch (reason.kind) {
    case 'stale':
      return `Last seen ${counted(reason.daysSinceSeen, 'day')} ago: the price may have changed`;
    case 'few-own-prices':
      return `Seen on ${counted(reason.prices, 'day')} so far, too few for a verdict`;
    case 'few-comparable-prices':
      return `${sentenceCount(reason.prices, 'similar holiday')} in other hotels, too few for a verdict`;
    case 'few-comparable-hotels':
      return `Similar holidays in ${counted(reason.hotels, 'other hotel')} only, too few for a verdict`;
  }
}

function sentenceCount(count: number, noun: string): string {
  return count === 0 ? `No ${noun}s` : counted(count, noun);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Rounds a limit of the typical range outwards by less than half a pound back to its whole pound. */
function pounds(pence: Pence): string {
  return formatWholePounds(Math.round(pence));
}
