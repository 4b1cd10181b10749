import type { PriceAnalysisAnswer, PriceEvidenceAnswer } from '../domain/price-analysis-answer.ts';
import { html } from './element.ts';
import { evidencePanel } from './evidence.ts';
import { priceBar } from './price-bar.ts';
import { pounds } from './words.ts';

/** In pounds: prices that round to the same whole pounds count as equal. */
const SAME = 0.5;

/**
 * An analysis as an element: a headline with the verdict and its reason, for which the page reserves room, and the evidence
 * on demand. Without a verdict there is only a short note. `shownPrice` is the card's price in pounds; if the server has a
 * newer price, the headline says so instead, because the reason only applies to the newer price.
 */
export function paintAnalysis(
  analysis: PriceAnalysisAnswer,
  hotel: string,
  shownPrice: number | null,
): HTMLElement {
  const { evidence } = analysis;
  const group = html('div', 'analysis');
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', `Price analysis${hotel === '' ? '' : ` of ${hotel}`}`);
  if (evidence === null) {
    group.append(html('p', 'headline abstains', `${analysis.label}. ${analysis.sentence}`));
    return group;
  }
  const hasMoved = shownPrice !== null && Math.abs(shownPrice - analysis.price) >= SAME;
  group.append(
    html('details', '', headline(analysis, evidence, hasMoved), evidencePanel(analysis, evidence)),
  );
  return group;
}

function headline(
  analysis: PriceAnalysisAnswer,
  evidence: PriceEvidenceAnswer,
  hasMoved: boolean,
): HTMLElement {
  const { strong, typicalLow, typicalHigh } = evidence;
  const ground = hasMoved
    ? html('span', 'strong', `The price has moved to ${pounds(analysis.price)} since this search`)
    : html('span', strong ? 'strong' : '', analysis.sentence);
  return html(
    'summary',
    'headline',
    html(
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
    ),
    html(
      'span',
      'glance',
      priceBar(analysis.price, typicalLow, typicalHigh),
      `Typical ${pounds(typicalLow)} to ${pounds(typicalHigh)}`,
    ),
    html('span', 'how', 'How we know'),
  );
}
