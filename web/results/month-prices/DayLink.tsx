import type { AnchorHTMLAttributes } from 'react';
import { formatSpokenDate } from '../../../domain/calendar-date.ts';
import { formatWholePounds, type Pence } from '../../../domain/money.ts';
import type { DayTrip, TripLinks } from './day-trip.ts';

interface DayLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  trip: DayTrip;
  price: Pence;
  isCheapest: boolean;
  links: TripLinks;
}

/** A link to the search of a day, named by the day, the nights and the price. */
export function DayLink({ trip, price, isCheapest, links, ...anchor }: DayLinkProps) {
  const { date, nights } = trip;
  const isChosen = date === links.chosen.date && nights === links.chosen.nights;
  return (
    <a
      {...anchor}
      href={links.address(trip)}
      aria-label={[
        formatSpokenDate(date),
        `${nights} nights`,
        formatWholePounds(price),
        ...(isCheapest ? ['cheapest of the month'] : []),
      ].join(', ')}
      aria-current={isChosen ? 'date' : undefined}
      data-marked={isCheapest || undefined}
      onClick={(event) => {
        // The browser handles clicks that open another tab or window.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        links.open(trip);
      }}
    />
  );
}
