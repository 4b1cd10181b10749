import { type Airport, type AirportGroup, isAirportSelected } from '../../domain/airport.ts';
import { filterAirportGroups } from '../../domain/airport-search.ts';

/** An option of the airport list: an airport, or a heading's toggle, which selects the region's own entry. */
export interface AirportOption {
  kind: 'airport' | 'toggle';
  airport: Airport;
}

/** A heading with its options in keyboard order. */
export interface AirportSection {
  heading: Airport | null;
  /** Whether the toggle comes first, or after airports that match better than the heading. */
  togglePlace: 'first' | 'last';
  options: AirportOption[];
}

/**
 * The sections that match `text`. A heading's toggle follows its airports if the text names an airport and not the
 * heading, so that the first option is always the best match (ruling 3).
 */
export function airportSections(groups: readonly AirportGroup[], text: string): AirportSection[] {
  return filterAirportGroups(groups, text)
    .filter(({ airports }) => airports.length > 0)
    .map(({ heading, airports, isHeadingBest }) => {
      const options = airports.map((airport): AirportOption => ({ kind: 'airport', airport }));
      if (heading === null) return { heading, togglePlace: 'first', options };
      const toggle: AirportOption = { kind: 'toggle', airport: heading };
      return isHeadingBest
        ? { heading, togglePlace: 'first', options: [toggle, ...options] }
        : { heading, togglePlace: 'last', options: [...options, toggle] };
    });
}

/** The number of distinct airports in the sections. */
export function countAirports(sections: readonly AirportSection[]): number {
  const airports = sections.flatMap(({ options }) => options.filter(({ kind }) => kind === 'airport'));
  return new Set(airports.map(({ airport }) => airport.code)).size;
}

/** The selection after `option` is chosen: it replaces the selection, or clears it if it was selected. */
export function chooseAirport(option: AirportOption, held: Airport | null): Airport | null {
  const isHeldItself = isAirportSelected(option.airport, held) && held?.isRegion === option.airport.isRegion;
  return isHeldItself ? null : option.airport;
}
