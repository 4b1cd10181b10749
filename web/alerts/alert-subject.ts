import { parseCalendarDate } from '../../domain/calendar-date.ts';
import { formatLongDate } from '../../domain/day-words.ts';
import { formatPounds } from '../../domain/money.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import { alertSearch, searchQuery } from './alert-search.ts';
import type { AlertIntent } from './send-alert-signup.ts';

/** What the modal signs up for. */
export type AlertSubject =
  | {
      kind: 'package';
      holiday: PackageHoliday;
      /** The name of the departure airport. */
      airport: string;
      /** In whole pounds for the party. If set, only a price below it causes an alert. */
      below?: number;
      /** The URL of the search that found the package. */
      searchUrl: string;
    }
  | {
      kind: 'search';
      /** The search's URL. */
      url: string;
      name: string;
      price: string;
      /** The limit that the form offers, or what was probably paid; '' if nothing is on sale. */
      offered: string;
      /** Whether the visitor has booked what the search finds. */
      isBooked: boolean;
    };

export function intentOf(subject: AlertSubject, pounds: string): AlertIntent {
  if (subject.kind === 'package') {
    const { holiday, below, searchUrl } = subject;
    const intent = { packageHoliday: holiday, belowPrice: below, search: alertSearch(searchUrl) };
    return { intentName: 'alertSignup', intent };
  }
  const number = Number(pounds.replace(/[£,\s]/g, ''));
  const price = Number.isInteger(number) && number >= 1 ? number : undefined;
  const prices = subject.isBooked ? { booked: price } : { limit: price };
  return { intentName: 'searchAlertSignup', intent: { search: searchQuery(subject.url) ?? '', ...prices } };
}

/** What the modal says is watched: a name, and details. */
export function linesOf(subject: AlertSubject): string[] {
  if (subject.kind === 'search') return [subject.name, subject.price];
  const { holiday, airport, below } = subject;
  const date = parseCalendarDate(holiday.FlightDetails.Outbound.DepartureDateTime.slice(0, 10));
  const when = [date && formatLongDate(date), airport && `from ${airport}`].filter(Boolean).join(' ');
  const nights = `${holiday.Duration} ${holiday.Duration === 1 ? 'night' : 'nights'}`;
  const now = `${formatPounds(holiday.PriceDetails.TotalPrice)} now`;
  return [
    holiday.HotelDetails.HotelName,
    when === '' ? nights : `${when}, ${nights}`,
    below === undefined ? now : `${now}, alert below ${formatPounds(below)}`,
  ];
}
