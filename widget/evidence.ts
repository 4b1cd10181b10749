import { WITH_CHARGES } from '../domain/charge-words.ts';
import { formatBriefDay, formatPlainDate } from '../domain/day-words.ts';
import type { PriceAnalysisResponse, PriceEvidenceResponse } from '../domain/price-analysis-response.ts';
import { html } from './element.ts';
import { pricePlot } from './price-plot.ts';
import { SCRIPT_ORIGIN } from './script-origin.ts';
import { counted, pounds } from './words.ts';

/** The evidence: the prices with the band, up to three facts, and a link to the method. */
export function evidencePanel(analysis: PriceAnalysisResponse, evidence: PriceEvidenceResponse): HTMLElement {
  const list = html('dl', '');
  for (const [term, words] of [
    ownFact(evidence),
    lowestFact(analysis),
    similarFact(evidence),
    adviceFact(analysis),
  ].flat())
    list.append(html('div', '', html('dt', '', term), html('dd', '', words)));
  const method = html('a', '', 'How we judge a price');
  method.href = new URL('/how-we-price', SCRIPT_ORIGIN).href;
  return html(
    'div',
    'evidence',
    pricePlot(evidence, analysis.expected),
    html('p', 'caption', plotWords(analysis, evidence)),
    list,
    html('p', '', method),
  );
}

function plotWords({ expected }: PriceAnalysisResponse, { history, sample }: PriceEvidenceResponse): string {
  const [from, to] = [history[0], history.at(-1)];
  const days =
    from && to && from !== to ? ` from ${formatBriefDay(from.day)} to ${formatBriefDay(to.day)}` : '';
  return [
    `Its price ${WITH_CHARGES}${days}`,
    ...(expected === null
      ? []
      : [`shaded: 4 in 5 holidays like this cost ${pounds(expected.low)} to ${pounds(expected.high)}`]),
    ...(sample ? ['earlier prices are made up for this demo'] : []),
  ].join('; ');
}

function ownFact({ own, knownSince }: PriceEvidenceResponse): [string, string][] {
  if (own === null) return [];
  const days = `${counted(own.prices, 'day')} since ${formatPlainDate(knownSince)}`;
  return [['This holiday', `Usually ${pounds(own.median)} (the median of ${days})`]];
}

function lowestFact({ price, lowest30 }: PriceAnalysisResponse): [string, string][] {
  if (lowest30 === null) return [];
  const when = lowest30.price === price ? ', today’s price' : ` on ${formatPlainDate(lowest30.day)}`;
  return [['Lowest in 30 days', `${pounds(lowest30.price)}${when}`]];
}

function adviceFact({ advice }: PriceAnalysisResponse): [string, string][] {
  return advice === null ? [] : [['Book or wait', advice]];
}

function similarFact({ similar }: PriceEvidenceResponse): [string, string][] {
  if (similar === null) return [];
  const { median, prices, hotels, comparedWith } = similar;
  const holidays = `${counted(prices, 'holiday')} in ${counted(hotels, 'hotel')}`;
  return [['Other hotels', `Usually ${pounds(median)} (${holidays}): ${comparedWith}`]];
}
