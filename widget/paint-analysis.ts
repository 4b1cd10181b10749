import type { PriceAnalysisResponse, PriceEvidenceResponse } from '../domain/price-analysis-response.ts';
import { html } from './element.ts';
import { evidencePanel } from './evidence.ts';
import { priceBar } from './price-bar.ts';
import { pounds } from './words.ts';

/** In pounds. A smaller price difference is ignored. */
const MIN_DIFFERENCE = 0.5;

export interface Painting {
  /** The hotel's name; '' if the page does not publish it. */
  hotel: string;
  /** The card's price in pounds; null if the page does not publish it. */
  shownPrice: number | null;
  /** Whether the placeholder is inside a button or link. If so, only the headline is shown. */
  isInControl: boolean;
}

/**
 * Renders an analysis: a headline with the verdict and its reason, and the evidence on demand. Without a
 * verdict, only a short note. If the price has changed since the search, the headline says so.
 */
export function paintAnalysis(
  analysis: PriceAnalysisResponse,
  { hotel, shownPrice, isInControl }: Painting,
): HTMLElement {
  const { evidence } = analysis;
  const hasMoved = shownPrice !== null && Math.abs(shownPrice - analysis.price) >= MIN_DIFFERENCE;
  if (isInControl) {
    const words =
      evidence === null
        ? [html('span', 'abstains', analysis.label)]
        : [verdict(analysis, evidence, hasMoved)];
    return html('span', 'analysis', html('span', 'headline', ...words));
  }
  const group = html('div', 'analysis');
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', `Price analysis${hotel === '' ? '' : ` of ${hotel}`}`);
  if (evidence === null) {
    group.append(html('p', 'headline abstains', analysis.sentence));
    return group;
  }
  group.append(
    html('details', '', headline(analysis, evidence, hasMoved), evidencePanel(analysis, evidence)),
  );
  return group;
}

function headline(
  analysis: PriceAnalysisResponse,
  evidence: PriceEvidenceResponse,
  hasMoved: boolean,
): HTMLElement {
  const { typicalLow, typicalHigh } = evidence;
  return html(
    'summary',
    'headline',
    verdict(analysis, evidence, hasMoved),
    html(
      'span',
      'glance',
      priceBar(analysis.price, typicalLow, typicalHigh),
      // A Typical price's sentence already states the range.
      analysis.level === 'TYPICAL' && !hasMoved
        ? ''
        : `Typical ${pounds(typicalLow)} to ${pounds(typicalHigh)}`,
    ),
    html('span', 'how', 'How we know'),
  );
}

function verdict(
  analysis: PriceAnalysisResponse,
  evidence: PriceEvidenceResponse,
  hasMoved: boolean,
): HTMLElement {
  const ground = hasMoved
    ? html('span', 'strong', `The price has moved to ${pounds(analysis.price)} since this search`)
    : html('span', evidence.strong ? 'strong' : '', analysis.sentence);
  return html(
    'span',
    'verdict',
    html(
      'strong',
      `badge ${analysis.level.toLowerCase()}`,
      html('span', 'unseen', 'Price: '),
      analysis.label,
    ),
    ' ',
    ground,
  );
}
