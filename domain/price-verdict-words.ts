import { formatWholePounds, type Pence } from './money.ts';
import type { PriceAbstention, PriceLevel, PriceVerdict } from './price-verdict.ts';

export const PRICE_LEVEL_LABEL: Readonly<Record<PriceLevel, string>> = {
  low: 'Low',
  typical: 'Typical',
  high: 'High',
};

export const CHECK_PRICE = 'Check this price';

const TOO_LITTLE = 'Too little to go on';

const STALE = 'May have changed';

export function verdictLabel(verdict: PriceVerdict): string {
  if (verdict.kind === 'verdict') return PRICE_LEVEL_LABEL[verdict.level];
  if (verdict.kind === 'check-price') return CHECK_PRICE;
  return verdict.reason.kind === 'stale' ? STALE : TOO_LITTLE;
}

/**
 * The sentence that explains a verdict. Low and High compare with both medians. Typical states only its
 * range, because a percentage after 'Typical' would look like a contradiction.
 */
export function verdictSentence(verdict: PriceVerdict): string {
  if (verdict.kind === 'check-price') {
    return `${CHECK_PRICE}: it’s far below the ${pounds(verdict.expected)} we’d expect. It may be a mistake, or per person`;
  }
  if (verdict.kind === 'no-verdict') return abstentionSentence(verdict.reason);
  const { level, typicalLow, typicalHigh, own, comparable } = verdict;
  if (level === 'typical') {
    return `Within the usual ${pounds(typicalLow)} to ${pounds(typicalHigh)} for this and similar holidays`;
  }
  return `${against(own.percent)} its usual price, ${against(comparable.percent)} similar holidays`;
}

/** '12% below', '3% above' or 'Level with'. Truncates, so that 14.9% does not become 15%. */
export function against(percent: number): string {
  const whole = Math.floor(Math.abs(percent));
  if (whole === 0) return 'level with';
  return `${whole}% ${percent < 0 ? 'below' : 'above'}`;
}

function abstentionSentence(reason: PriceAbstention): string {
  switch (reason.kind) {
    case 'stale':
      return `${STALE}: we last saw this price ${counted(reason.daysSinceSeen, 'day')} ago`;
    case 'few-own-prices':
      return `${TOO_LITTLE}: we’ve seen a price on only ${counted(reason.prices, 'day')}`;
    case 'few-comparable-prices':
      return `${TOO_LITTLE}: ${onlySimilar(reason.prices, 'holiday')}`;
    case 'few-comparable-hotels':
      return `${TOO_LITTLE}: ${onlySimilar(reason.hotels, 'hotel')}`;
  }
}

function onlySimilar(count: number, noun: string): string {
  return `${count === 0 ? `no similar ${noun}s` : `only ${counted(count, `similar ${noun}`)}`} to compare with`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Converts a limit of the typical range back to the whole pound that it was made from. */
function pounds(pence: Pence): string {
  return formatWholePounds(Math.round(pence));
}
