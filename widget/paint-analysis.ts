import type { PriceAnalysisResponse, PriceEvidenceResponse } from '../domain/price-analysis-response.ts';
import { PRICE_LEVEL_LABEL } from '../domain/price-verdict-words.ts';
import { html } from './element.ts';
import { evidencePanel } from './evidence.ts';
import type { ShownPackage } from './page-data.ts';
import { priceBar } from './price-bar.ts';
import { pounds } from './words.ts';

/** In pounds. A smaller price difference is ignored. */
const MIN_DIFFERENCE = 0.5;

const SOLD_OUT = {
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
  /** Whether the placeholder is inside a button or link. If so, only the headline is shown. */
  isInControl: boolean;
}

/**
 * Renders an analysis: a headline with the verdict and its reason, and the evidence on demand. Without a
 * verdict, only a short note. If the price has changed since the search, the headline says so.
 */
export function paintAnalysis(
  found: PriceAnalysisResponse,
  { hotel, shownPrice, availability, isInControl }: Painting,
): HTMLElement {
  const hasMoved = shownPrice !== null && Math.abs(shownPrice - found.price) >= MIN_DIFFERENCE;
  const analysis =
    availability === 'sold out'
      ? { ...found, ...SOLD_OUT }
      : hasMoved && availability === 'checked'
        ? atCheckedPrice(found, shownPrice)
        : found;
  const { evidence } = analysis;
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
    group.append(html('p', 'headline abstains', abstention(analysis)));
    return group;
  }
  group.append(
    html('details', '', headline(analysis, evidence, hasMoved), evidencePanel(analysis, evidence)),
  );
  return group;
}

/** The analysis of the provider's price now, which the analysis service may not know yet. */
function atCheckedPrice(found: PriceAnalysisResponse, price: number): PriceAnalysisResponse {
  const { evidence } = found;
  if (evidence === null) return found;
  const level = price < evidence.typicalLow ? 'low' : price > evidence.typicalHigh ? 'high' : 'typical';
  return {
    ...found,
    price,
    level: ({ low: 'LOW', typical: 'TYPICAL', high: 'HIGH' } as const)[level],
    label: PRICE_LEVEL_LABEL[level],
    sentence: `Now ${pounds(price)}, as the provider says`,
    evidence: { ...evidence, strong: false },
  };
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
    ? shortened(
        `The price has moved to ${pounds(analysis.price)} since this search`,
        /^(The )(.*)( since .*)$/,
        'strong',
      )
    : shortened(
        analysis.sentence,
        analysis.level === 'TYPICAL' ? /^(.*?)(£\S+ to £\S+)(.*)$/ : /^()(.*?)(, .*)$/,
        evidence.strong ? 'strong' : '',
      );
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

/** Explains a missing verdict: shortened on narrow cards, unless the price looks wrong or old. */
function abstention({ abstention, sentence }: PriceAnalysisResponse): HTMLElement {
  const isPlain = abstention === null || abstention === 'STALE';
  return isPlain ? html('span', '', sentence) : shortened(sentence, /^()(.*?)(: .*)$/, '');
}

/** A sentence of which narrow cards show only the second group of the pattern. Screen readers read all of it. */
function shortened(sentence: string, pattern: RegExp, className: string): HTMLElement {
  const [, before = '', short = sentence, after = ''] = pattern.exec(sentence) ?? [];
  return html('span', className, html('span', 'rest', before), short, html('span', 'rest', after));
}
