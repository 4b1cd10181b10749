import { boardBasisWords } from '../../domain/board-basis.ts';
import { type CalendarDate, parseCalendarDate } from '../../domain/calendar-date.ts';
import { formatPlainDate } from '../../domain/day-words.ts';
import { partyWords } from '../../domain/party.ts';
import { sortLabel } from '../../domain/sort-by.ts';
import type { HolidaySearch, UnreadPart } from '../search/search-url.ts';

const MAX_SHOWN = 60;

/** Says which part of a URL is invalid, and what is used instead or what to do. */
export function urlNote(
  { part, text }: UnreadPart,
  search: Pick<
    HolidaySearch,
    'duration' | 'party' | 'boardBasis' | 'starRating' | 'sortBy' | 'perPage' | 'page'
  >,
  today: CalendarDate,
): string {
  const quoted = `‘${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}’`;
  const instead = (what: string, shown: string | number) =>
    `${quoted} isn’t ${what}, so we’re showing ${shown}.`;
  switch (part) {
    case 'place':
      return `${quoted} isn’t one of our destinations. Choose another place.`;
    case 'from':
      return `${quoted} isn’t one of our departure airports. Choose another airport.`;
    case 'date':
      return `${dateNote(quoted, text, today)}, so we’ve put in tomorrow. Choose another date.`;
    case 'nights':
      return `${quoted} isn’t available; showing ${search.duration} nights.`;
    case 'flex':
      return instead('a choice of days', 'one day');
    case 'exact':
      return 'We can’t search flexibly here, so we’re showing the first place, that day and the fewest nights.';
    case 'adults':
    case 'children':
    case 'infants':
      return `${quoted} isn’t a number of ${part}, so we’ve searched for ${search.party[part]}.`;
    case 'party':
      return `We have no prices for ${text}. These are for ${partyWords(search.party)}.`;
    case 'board':
      return instead('a board basis', boardBasisWords(search.boardBasis) || 'any board');
    case 'stars':
      return search.starRating === ''
        ? instead('a star rating', 'any rating')
        : instead('a whole number of stars', search.starRating);
    case 'filter':
      return `${quoted} isn’t a filter, so we’ve left it out.`;
    case 'filters':
      return 'We can’t use this link’s filters here, so we’re showing the results without them.';
    case 'sort':
      return instead('a sort order', sortLabel(search.sortBy));
    case 'size':
      return instead('a number of results per page', search.perPage);
    case 'page':
      return instead('a page number', `page ${search.page}`);
  }
}

function dateNote(quoted: string, text: string, today: CalendarDate): string {
  const date = parseCalendarDate(text);
  if (date === null) return `${quoted} isn’t a date`;
  if (date === today) return 'It’s too late to leave today';
  if (date < today) return `${formatPlainDate(date)} has passed`;
  return `${formatPlainDate(date)} is more than 18 months ahead`;
}
