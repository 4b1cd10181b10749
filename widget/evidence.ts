import { formatBriefDay, formatPlainDate } from '../domain/day-words.ts';
import type { PriceAnalysisResponse, PriceEvidenceResponse } from '../domain/price-analysis-response.ts';
import { html } from './element.ts';
import { priceBar } from './price-bar.ts';
import { sparkline } from './sparkline.ts';
import { counted, instant, pounds, reasonWords } from './words.ts';

/** The evidence: the source and date of each number in the headline and drawings. */
export function evidencePanel(analysis: PriceAnalysisResponse, evidence: PriceEvidenceResponse): HTMLElement {
  const { own, comparable, comparedWith } = evidence;
  const facts: [string, string][] = [
    [analysis.label, analysis.sentence],
    ...holidayFact(analysis),
    ...lowestFact(analysis),
    [
      'This holiday',
      `Usually ${pounds(own.median)} (median of the ${counted(own.prices, 'day')} since ${formatPlainDate(evidence.knownSince)} on which we saw a price)`,
    ],
    [
      'Similar holidays',
      `Usually ${pounds(comparable.median)} (median of ${comparable.prices} holidays in ${comparable.hotels} hotels): ${comparedWith}`,
    ],
    ...expectedFacts(analysis),
    ['History', historyWords(evidence)],
    ...(analysis.advice === null ? [] : [['Book or wait', analysis.advice] satisfies [string, string]]),
    ['Last seen', instant(analysis.asOf)],
  ];
  const list = html('dl', '');
  for (const [term, words] of facts)
    list.append(html('div', '', html('dt', '', term), html('dd', '', words)));
  return html('div', 'evidence', pictures(analysis, evidence), list);
}

function pictures({ price }: PriceAnalysisResponse, evidence: PriceEvidenceResponse): HTMLElement {
  const { typicalLow, typicalHigh, lowest, latest } = evidence;
  return html(
    'div',
    'pictures',
    picture(
      priceBar(price, typicalLow, typicalHigh),
      `Typical: ${pounds(typicalLow)} to ${pounds(typicalHigh)}. Below is Low, above is High`,
    ),
    picture(
      sparkline(evidence),
      `Lowest ${pounds(lowest.price)} on ${formatBriefDay(lowest.day)}, latest ${pounds(latest.price)}`,
    ),
  );
}

function picture(drawing: SVGElement, caption: string): HTMLElement {
  return html('div', 'picture', drawing, html('p', 'caption', caption));
}

function expectedFacts({ expected }: PriceAnalysisResponse): [string, string][] {
  if (expected === null) return [];
  const { price, low, high, reasons } = expected;
  return [
    [
      'Expected',
      `We’d expect ${pounds(price)}; 4 in 5 holidays like this cost between ${pounds(low)} and ${pounds(high)}`,
    ],
    ['Why', reasons.map(reasonWords).join(' ')],
  ];
}

function holidayFact({ holiday }: PriceAnalysisResponse): [string, string][] {
  return holiday === null
    ? []
    : [['Season', `It’s in the ${holiday}, so we compare it with other holidays at that time`]];
}

function lowestFact({ price, lowest30 }: PriceAnalysisResponse): [string, string][] {
  if (lowest30 === null) return [];
  const when = lowest30.price === price ? ', today’s price' : ` on ${formatPlainDate(lowest30.day)}`;
  const days = lowest30.days === 30 ? 'all 30 days' : `${lowest30.days} of the 30 days`;
  return [['Lowest in 30 days', `${pounds(lowest30.price)}${when}. We saw a price on ${days}`]];
}

function historyWords({ history, lowest, sample }: PriceEvidenceResponse): string {
  const points = history.map(({ day, price }) => `${formatBriefDay(day)} ${pounds(price)}`);
  const origin = sample ? '. Earlier prices are made up for this demo' : '';
  return `${points.join(', ')}. Lowest ${pounds(lowest.price)} on ${formatPlainDate(lowest.day)}${origin}`;
}
