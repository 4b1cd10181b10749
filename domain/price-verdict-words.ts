import { fromDayNumber } from './calendar-date.ts';
import { formatDayOfMonth } from './day-words.ts';
import { formatWholePounds, type Pence } from './money.ts';
import type { PriceChange } from './price-change.ts';
import type { PriceBand, PriceJudgement, PriceVerdict } from './price-verdict.ts';

export const VERDICT_LABEL: Readonly<Record<PriceVerdict, string>> = {
  low: 'Low',
  typical: 'Typical',
  high: 'High',
  'check-price': 'Check this price',
};

const ABSTENTION_LABEL = {
  stale: 'May have changed',
  mixed: 'No verdict',
  'few-prices': 'Too little to go on',
};

export function verdictLabel({ verdict, abstention }: PriceJudgement): string {
  return verdict === null ? ABSTENTION_LABEL[abstention ?? 'few-prices'] : VERDICT_LABEL[verdict];
}

/** What a sentence says about a price. Parts that are not known are null. */
export interface PriceFacts {
  price: Pence;
  change: PriceChange | null;
  band: PriceBand | null;
  ownMedian: Pence | null;
}

/**
 * '£1,774: up £151 since 9 November; most holidays like this cost £1,650 to £1,850'. Says only what is known:
 * without a band, what the holiday usually costs; '' if nothing is known.
 */
export function factsSentence({ price, change, band, ownMedian }: PriceFacts): string {
  const parts = [
    ...(change === null ? [] : [changeWords(change)]),
    ...(band === null
      ? ownMedian === null
        ? []
        : [`usually ${formatWholePounds(ownMedian)}`]
      : [`most holidays like this cost ${formatWholePounds(band.low)} to ${formatWholePounds(band.high)}`]),
  ];
  return parts.length === 0 ? '' : `${formatWholePounds(price)}: ${parts.join('; ')}`;
}

/** The sentence beside a verdict, or instead of one. */
export function verdictSentence(
  judgement: PriceJudgement,
  { price, change, daysSinceSeen }: { price: Pence; change: PriceChange | null; daysSinceSeen: number },
): string {
  const { verdict, abstention, band, expected, ownMedian } = judgement;
  if (verdict === 'check-price') {
    const usual = formatWholePounds(expected ?? ownMedian ?? price);
    return `${VERDICT_LABEL[verdict]}: it’s far below the ${usual} we’d expect. It may be a mistake, or per person`;
  }
  const label = verdictLabel(judgement);
  if (abstention === 'stale') {
    return `${label}: we last saw this price ${daysSinceSeen} day${daysSinceSeen === 1 ? '' : 's'} ago`;
  }
  return factsSentence({ price, change, band, ownMedian }) || label;
}

/** 'Low. £1,774: down £151 since 9 November', for pages without a badge. */
export function labelledSentence({ label, sentence }: { label: string; sentence: string }): string {
  return sentence.startsWith(label) ? sentence : `${label}. ${sentence}`;
}

function changeWords({ amount, since }: PriceChange): string {
  const day = formatDayOfMonth(fromDayNumber(since));
  const pounds = formatWholePounds(Math.abs(amount));
  if (pounds === formatWholePounds(0)) return `the same as on ${day}`;
  return `${amount > 0 ? 'up' : 'down'} ${pounds} since ${day}`;
}
