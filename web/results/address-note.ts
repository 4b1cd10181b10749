import { boardBasisWords } from '../../domain/board-basis.ts';
import { addDays, type CalendarDate, parseCalendarDate } from '../../domain/calendar-date.ts';
import { formatLongDate } from '../../domain/day-words.ts';
import { partyWords } from '../../domain/party.ts';
import { SORT_OPTIONS } from '../../domain/sort-by.ts';
import type { HolidaySearch, UnreadPart } from '../search/search-address.ts';

const LONGEST_SHOWN = 60;

/** Names a part of an address that could not be read, and says what was used instead or what to do (ruling 6b). */
export function addressNote(
  { part, text }: UnreadPart,
  search: Pick<
    HolidaySearch,
    'duration' | 'party' | 'boardBasis' | 'starRating' | 'sortBy' | 'perPage' | 'page'
  >,
  today: CalendarDate,
): string {
  const said = `‘${text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text}’`;
  const instead = (what: string, taken: string | number) =>
    `${said} is not ${what}: ${taken} was used instead.`;
  switch (part) {
    case 'place':
      return `${said} is not in the list of destinations, so the field is empty. Choose another place.`;
    case 'from':
      return `${said} is not in the list of departure airports, so the field is empty. Choose another airport.`;
    case 'date':
      return `${dateNote(said, text, today)}, so we’ve put in tomorrow. Choose another date.`;
    case 'nights':
      return `${said} isn’t available; showing ${search.duration} nights.`;
    case 'adults':
    case 'children':
    case 'infants':
      return instead(`a number of ${part}`, search.party[part]);
    case 'party':
      return `We have no prices for ${text}. These are for ${partyWords(search.party)}.`;
    case 'board':
      return instead('a board basis', boardBasisWords(search.boardBasis) || 'any board');
    case 'stars':
      return search.starRating === ''
        ? instead('a star rating', 'any rating')
        : instead('a whole number of stars', search.starRating);
    case 'sort':
      return instead('a sort order', SORT_OPTIONS.find(({ value }) => value === search.sortBy)?.label ?? '');
    case 'size':
      return instead('a number of results per page', search.perPage);
    case 'page':
      return instead('a page number', search.page);
  }
}

function dateNote(said: string, text: string, today: CalendarDate): string {
  const date = parseCalendarDate(text);
  if (date === null) return `${said} is not a date`;
  if (date < today) return `${formatLongDate(date)} has passed`;
  if (date < addDays(today, 1))
    return `${formatLongDate(date)} is today, and the first departures are tomorrow’s`;
  return `${formatLongDate(date)} is more than 18 months ahead`;
}
