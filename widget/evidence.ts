import type { PriceAnalysisAnswer, PriceEvidenceAnswer } from '../domain/price-analysis-answer.ts';
import { html } from './element.ts';
import { priceBar } from './price-bar.ts';
import { sparkline } from './sparkline.ts';
import { chance, instant, longDay, pounds, reasonWords, shortDay } from './words.ts';

/** The evidence panel: the source and the date of every number in the headline and the drawings. */
export function evidencePanel(analysis: PriceAnalysisAnswer, evidence: PriceEvidenceAnswer): HTMLElement {
  const { own, comparable, comparedWith, typicalLow, typicalHigh } = evidence;
  const facts: [string, string][] = [
    [analysis.label, analysis.sentence],
    ...holidayFact(analysis),
    ...lowestFact(analysis),
    [
      'This holiday',
      `${pounds(analysis.price)} now. Its median is ${pounds(own.median)}, of the ${own.prices} days since ${longDay(evidence.knownSince)} on which its price was seen (of the last ${evidence.windowDays} days)`,
    ],
    [
      'Similar holidays',
      `Their median is ${pounds(comparable.median)}, of ${comparable.prices} packages in ${comparable.hotels} hotels: ${comparedWith}`,
    ],
    ['Typical', `${pounds(typicalLow)} to ${pounds(typicalHigh)}. Below it is Low, above it High`],
    ...expectedFacts(analysis),
    ...dropFact(analysis),
    ['History', historyWords(evidence)],
    ['As of', instant(analysis.asOf)],
  ];
  const list = html('dl', '');
  for (const [term, words] of facts)
    list.append(html('div', '', html('dt', '', term), html('dd', '', words)));
  return html('div', 'evidence', pictures(analysis, evidence), list);
}

function pictures({ price }: PriceAnalysisAnswer, evidence: PriceEvidenceAnswer): HTMLElement {
  const { typicalLow, typicalHigh, lowest, latest } = evidence;
  return html(
    'div',
    'pictures',
    picture(
      priceBar(price, typicalLow, typicalHigh),
      `Typical ${pounds(typicalLow)} to ${pounds(typicalHigh)}`,
    ),
    picture(
      sparkline(evidence),
      `Lowest ${pounds(lowest.price)} on ${shortDay(lowest.day)}, latest ${pounds(latest.price)}`,
    ),
  );
}

function picture(drawing: SVGElement, caption: string): HTMLElement {
  return html('div', 'picture', drawing, html('p', 'caption', caption));
}

function expectedFacts({ expected }: PriceAnalysisAnswer): [string, string][] {
  if (expected === null) return [];
  const { price, low, high, modelVersion, reasons } = expected;
  return [
    [
      'Expected',
      `${pounds(price)}, from what holidays like it cost; 4 in 5 such prices lie between ${pounds(low)} and ${pounds(high)} (model ${modelVersion})`,
    ],
    ...reasons.map(({ label, amount }): [string, string] => [label, reasonWords(price, amount)]),
  ];
}

function holidayFact({ holiday }: PriceAnalysisAnswer): [string, string][] {
  return holiday === null
    ? []
    : [['Holiday', `Departs in the ${holiday}, and is compared with such departures`]];
}

function lowestFact({ price, lowest30 }: PriceAnalysisAnswer): [string, string][] {
  if (lowest30 === null) return [];
  const days = `${lowest30.days} ${lowest30.days === 1 ? 'day' : 'days'}`;
  const when = lowest30.price === price ? 'the price now' : `on ${longDay(lowest30.day)}`;
  return [['Lowest in 30 days', `${pounds(lowest30.price)}, ${when}; its price was seen on ${days} of them`]];
}

function dropFact({ drop }: PriceAnalysisAnswer): [string, string][] {
  if (drop === null) return [];
  return [
    [
      'A drop',
      `${chance(drop.chance)} likely to fall by 5% or more within 7 days; over all holidays it is ${chance(drop.baseRate)}`,
    ],
  ];
}

function historyWords({ history, lowest, sample }: PriceEvidenceAnswer): string {
  const points = history.map(({ day, price }) => `${shortDay(day)} ${pounds(price)}`);
  const origin = sample ? '. Its earlier part is the sample market’s invention' : '';
  return `${points.join(', ')}. Lowest ${pounds(lowest.price)} on ${longDay(lowest.day)}${origin}`;
}
