import type { CalendarDate } from '../../domain/calendar-date.ts';
import { type Duration, parseDuration } from '../../domain/duration.ts';
import { linkParameters } from '../../domain/link-parameters.ts';
import { readPounds } from '../../domain/money.ts';
import { DEFAULT_PARTY, type Party } from '../../domain/party.ts';
import { PARTY_PARAMETERS, partyParameters, readCount } from '../../domain/party-parameters.ts';
import { ANY_TIME, departureSpan, type When } from './departure-span.ts';

/** What the visitor has chosen in Explore. */
export interface ExploreChoice {
  /** The key of an airport or region (`airportSelectionKey`); null: not chosen yet. */
  from: string | null;
  when: When;
  /** Null: any that the search form offers. */
  nights: Duration | null;
  /** The highest total price, in whole pounds; null: any. */
  maxPounds: number | null;
  party: Party;
  /** Shows the regions of this country; null: all countries. */
  country: string | null;
}

export interface ExploreUrl extends ExploreChoice {
  /** A sentence for each part of the URL that could not be read. */
  notes: readonly string[];
}

/** The URL of a choice: '/explore?from=LGW&when=2027-02&nights=7&max=400'. Parts with their defaults are absent. */
export function toExploreUrl({ from, when, nights, maxPounds, party, country }: ExploreChoice): string {
  const parameters = new URLSearchParams();
  if (from !== null) parameters.append('from', from);
  if (when !== ANY_TIME) parameters.append('when', when);
  if (nights !== null) parameters.append('nights', String(nights));
  if (maxPounds !== null) parameters.append('max', String(maxPounds));
  for (const [kind, count] of partyParameters(party)) parameters.append(kind, count);
  if (country !== null) parameters.append('country', country);
  const query = parameters.toString().replaceAll('%3A', ':');
  return query === '' ? '/explore' : `/explore?${query}`;
}

/** Parses the query string of a URL. Never throws. */
export function parseExploreUrl(query: string, today: CalendarDate): ExploreUrl {
  const parameters = new URLSearchParams(linkParameters(new URLSearchParams(query), true));
  const notes: string[] = [];
  const read = <T>(parameter: string, parse: (text: string) => T | null, note: string): T | null => {
    const text = parameters.get(parameter)?.trim() ?? '';
    const value = text === '' ? null : parse(text);
    if (value === null && text !== '') notes.push(`‘${text}’ ${note}`);
    return value;
  };
  const when = read(
    'when',
    (text) => readWhen(text, today),
    'isn’t in the next 18 months, so we’re showing any time.',
  );
  const nights = read('nights', readNights, 'isn’t available; showing 4, 7, 10 and 14 nights.');
  const maxPounds = read('max', readPounds, 'isn’t a price in whole pounds, so we’re showing every price.');
  const party = { ...DEFAULT_PARTY };
  for (const kind of PARTY_PARAMETERS) {
    const note = `isn’t a number of ${kind}, so we’ve searched for ${DEFAULT_PARTY[kind]}.`;
    party[kind] = read(kind, (text) => readCount(kind, text), note) ?? DEFAULT_PARTY[kind];
  }
  return {
    from: parameters.get('from')?.trim() || null,
    when: when ?? ANY_TIME,
    nights: nights === 'any' ? null : nights,
    maxPounds,
    party,
    country: parameters.get('country')?.trim() || null,
    notes,
  };
}

function readWhen(text: string, today: CalendarDate): When | null {
  const when = text.toLowerCase() === ANY_TIME ? ANY_TIME : text.toUpperCase();
  return departureSpan(when, today) === null ? null : when;
}

function readNights(text: string): Duration | 'any' | null {
  return text.toLowerCase() === 'any' ? 'any' : parseDuration(text);
}
