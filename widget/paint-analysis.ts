import { html } from './element.ts';
import { evidenceDetails } from './evidence.ts';
import type { Evidence, PriceAnalysis } from './price-analysis-answer.ts';
import { priceBar } from './price-bar.ts';
import { sparkline } from './sparkline.ts';
import { chance, pounds, shortDay, signedPounds, verdictSentence } from './words.ts';

/** Half a pound: whole pounds that look alike are alike. */
const SAME = 0.5;

/**
 * An analysis as an element. Where the verdict abstains it says so and nothing more. `shownPrice` is the card's,
 * in pounds; where the store knows a newer one, that is said too.
 */
export function paintAnalysis(
  analysis: PriceAnalysis,
  hotel: string,
  shownPrice: number | null,
): HTMLElement {
  const { evidence } = analysis;
  const group = html('div', 'analysis');
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', `Price analysis${hotel === '' ? '' : ` of ${hotel}`}`);
  if (evidence === null) {
    group.append(html('p', 'abstains', analysis.label));
    return group;
  }
  group.append(verdictLine(analysis, evidence), pictures(analysis, evidence));
  if (shownPrice !== null && Math.abs(shownPrice - analysis.price) >= SAME) {
    group.append(html('p', 'moved', `The price has moved to ${pounds(analysis.price)} since this search.`));
  }
  const reasons = reasonsLine(analysis);
  if (reasons !== null) group.append(reasons);
  group.append(evidenceDetails(analysis, evidence));
  return group;
}

function verdictLine(analysis: PriceAnalysis, evidence: Evidence): HTMLElement {
  const { own, comparable } = evidence;
  const strong = [own, comparable].some((one) => one.strong && one.level === analysis.level);
  const badge = html(
    'strong',
    `badge ${analysis.level.toLowerCase()}`,
    html('span', 'unseen', 'Price: '),
    analysis.label,
  );
  const words = verdictSentence(analysis, evidence);
  return html('p', 'verdict', badge, ' ', html('span', strong ? 'strong' : '', words));
}

function pictures(analysis: PriceAnalysis, evidence: Evidence): HTMLElement {
  const { typicalLow, typicalHigh, lowest, latest } = evidence;
  return html(
    'div',
    'pictures',
    html(
      'div',
      'picture',
      priceBar(analysis.price, typicalLow, typicalHigh),
      html('p', 'caption', `Typical ${pounds(typicalLow)} to ${pounds(typicalHigh)}`),
    ),
    html(
      'div',
      'picture',
      sparkline(evidence),
      html(
        'p',
        'caption',
        `Lowest ${pounds(lowest.price)} on ${shortDay(lowest.day)}, latest ${pounds(latest.price)}`,
      ),
    ),
  );
}

function reasonsLine({ expected, drop }: PriceAnalysis): HTMLElement | null {
  const parts = [
    ...(expected === null ? [] : [`Expected ${pounds(expected.price)}`]),
    ...(expected?.reasons ?? []).map(({ label, amount }) => `${label}: ${signedPounds(amount)}`),
    ...(drop === null
      ? []
      : [`Chance of a 5% drop in 7 days: ${chance(drop.chance)}, usually ${chance(drop.baseRate)}`]),
  ];
  if (parts.length === 0) return null;
  const line = html('p', 'reasons');
  for (const part of parts) line.append(html('span', 'reason', part), ' ');
  return line;
}
