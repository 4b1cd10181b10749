import type { AnchorHTMLAttributes } from 'react';
import { formatSpokenDate } from '../../../domain/day-words.ts';
import { formatWholePounds, type Pence } from '../../../domain/money.ts';
import { PageLink } from '../../ui/PageLink.tsx';
import type { DayTrip, TripLinks } from './day-trip.ts';

interface DayLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'onClick'> {
  trip: DayTrip;
  price: Pence;
  isCheapest: boolean;
  links: TripLinks;
}

/** A link to a day's search, named by the day, the nights and the price. */
export function DayLink({ trip, price, isCheapest, links, ...anchor }: DayLinkProps) {
  const { date, nights } = trip;
  const isChosen = date === links.chosen.date && nights === links.chosen.nights;
  return (
    <PageLink
      {...anchor}
      href={links.url(trip)}
      onOpen={() => links.open(trip)}
      aria-label={[
        formatSpokenDate(date),
        `${nights} nights`,
        formatWholePounds(price),
        ...(isCheapest ? ['cheapest of the month'] : []),
      ].join(', ')}
      aria-current={isChosen ? 'date' : undefined}
      data-marked={isCheapest || undefined}
    />
  );
}
