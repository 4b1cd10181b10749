import { type Airport, type AirportGroup, isAirportSelected } from '../../domain/airport.ts';
import { filterAirportGroups } from '../../domain/airport-search.ts';

/** What the airport list offers: an airport, or a heading's toggle, which chooses the region's own entry. */
export interface AirportOption {
  kind: 'airport' | 'toggle';
  airport: Airport;
}

/** A heading with its options in the order in which the arrow keys reach them. */
export interface AirportSection {
  heading: Airport | null;
  /** Where the toggle stands: with the heading, or behind airports that match better than it does. */
  togglePlace: 'first' | 'last';
  options: AirportOption[];
}

/**
 * The sections that `text` leaves. A heading's toggle follows its airports where the text names an airport
 * and not the heading, so that the first option is always the best match (ruling 3).
 */
export function airportSections(groups: readonly AirportGroup[], text: string): AirportSection[] {
  return filterAirportGroups(groups, text)
    .filter(({ airports }) => airports.length > 0)
    .map(({ heading, airports, headingLeads }) => {
      const options = airports.map((airport): AirportOption => ({ kind: 'airport', airport }));
      if (heading === null) return { heading, togglePlace: 'first', options };
      const toggle: AirportOption = { kind: 'toggle', airport: heading };
      return headingLeads
        ? { heading, togglePlace: 'first', options: [toggle, ...options] }
        : { heading, togglePlace: 'last', options: [...options, toggle] };
    });
}

/** How many different airports the sections list. */
export function countAirports(sections: readonly AirportSection[]): number {
  const airports = sections.flatMap(({ options }) => options.filter(({ kind }) => kind === 'airport'));
  return new Set(airports.map(({ airport }) => airport.code)).size;
}

/** What is held once `option` is chosen: it replaces what was held, or lets it go when it is held itself. */
export function chooseAirport(option: AirportOption, held: Airport | null): Airport | null {
  const isHeldItself = isAirportSelected(option.airport, held) && held?.isRegion === option.airport.isRegion;
  return isHeldItself ? null : option.airport;
}
