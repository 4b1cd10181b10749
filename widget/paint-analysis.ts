import type { PriceAnalysisResponse } from '../domain/price-analysis-response.ts';
import { html } from './element.ts';
import { evidencePanel } from './evidence.ts';
import { judgedAt } from './judged-at.ts';
import type { ShownPackage } from './page-data.ts';
import { pounds } from './words.ts';

/** In pounds. A smaller price difference is ignored. */
const MIN_DIFFERENCE = 0.5;

const SOLD_OUT = {
  level: 'NO_VERDICT',
  label: 'Sold out',
  sentence: 'It’s sold out, so its price has no verdict',
  abstention: null,
  evidence: null,
} as const;

export interface Painting {
  /** The hotel's name; '' if the page does not publish it. */
  hotel: string;
  /** The card's price in pounds; null if the page does not publish it. */
  shownPrice: number | null;
  /** The provider's response since the search: that `shownPrice` is its price now, or that it is sold out. */
  availability: ShownPackage['availability'];
  /** Whether to show the headline alone. */
  isBrief: boolean;
  /** Whether that is because it is inside a control, whose name is then the headline. */
  isInControl: boolean;
}

/**
 * Renders an analysis: a headline with the verdict and what is known about the price, and the evidence on
 * demand. If the price has changed since the search, the headline says so.
 */
export function paintAnalysis(
  found: PriceAnalysisResponse,
  { hotel, shownPrice, availability, isBrief, isInControl }: Painting,
): HTMLElement {
  const hasMoved = shownPrice !== null && Math.abs(shownPrice - found.price) >= MIN_DIFFERENCE;
  const isChecked = hasMoved && availability === 'checked';
  const analysis =
    availability === 'sold out' ? { ...found, ...SOLD_OUT } : isChecked ? judgedAt(found, shownPrice) : found;
  const { evidence } = analysis;
  const words =
    evidence !== null && hasMoved && !isChecked
      ? `The price has moved to ${pounds(analysis.price)} since this search`
      : analysis.sentence;
  const group = html(isBrief ? 'span' : 'div', 'analysis');
  if (!isInControl) {
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', `Price analysis${hotel === '' ? '' : ` of ${hotel}`}`);
  }
  group.append(
    isBrief
      ? html('span', 'headline brief', evidence === null ? words : verdict(analysis, words))
      : evidence === null
        ? html('p', 'headline abstains', words)
        : html(
            'details',
            '',
            html('summary', 'headline', verdict(analysis, words), html('span', 'how', 'How we know')),
            evidencePanel(analysis, evidence),
          ),
  );
  return group;
}

/** The badge, if there is a verdict, and the sentence. */
function verdict({ level, label }: PriceAnalysisResponse, words: string): HTMLElement {
  const badge = html('strong', `badge ${level.toLowerCase()}`, html('span', 'unseen', 'Price: '), label);
  return html('span', 'verdict', ...(level === 'NO_VERDICT' ? [] : [badge, ' ']), words);
}
