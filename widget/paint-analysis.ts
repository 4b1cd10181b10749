import type { PriceAnalysisAnswer, PriceEvidenceAnswer } from '../domain/price-analysis-answer.ts';
import { html } from './element.ts';
import { evidencePanel } from './evidence.ts';
import { priceBar } from './price-bar.ts';
import { pounds, verdictSentence } from './words.ts';

/** Half a pound: whole pounds that look alike are alike. */
const SAME = 0.5;

/**
 * An analysis as an element: the verdict and its ground in a headline, for which the page keeps room, and the evidence
 * behind it. Where the verdict abstains it says so and nothing more. `shownPrice` is the card's, in pounds; where the
 * store knows a newer one, the headline says that instead of what holds for the newer one alone.
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
    group.append(html('p', 'headline abstains', analysis.label));
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
  const { own, comparable, typicalLow, typicalHigh } = evidence;
  const isStrong = [own, comparable].some((one) => one.strong && one.level === analysis.level);
  const ground = hasMoved
    ? html('span', 'strong', `The price has moved to ${pounds(analysis.price)} since this search`)
    : html('span', isStrong ? 'strong' : '', verdictSentence(analysis, evidence));
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
