import { type Airport, type AirportGroup, isAirportSelected } from '../../domain/airport.ts';
import { filterAirportGroups } from '../../domain/airport-search.ts';

/** An option of the airport list: an airport, or a heading's toggle, which selects the region's own entry. */
export interface AirportOption {
  kind: 'airport' | 'toggle';
  airport: Airport;
}

export interface AirportSection {
  heading: Airport | null;
  /** 'last' if airports match better than the heading. */
  togglePlace: 'first' | 'last';
  options: AirportOption[];
}

/**
 * The sections that match `text`. The first option is the best match: a toggle follows its airports if the
 * text names an airport rather than the heading.
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

export function countAirports(sections: readonly AirportSection[]): number {
  const airports = sections.flatMap(({ options }) => options.filter(({ kind }) => kind === 'airport'));
  return new Set(airports.map(({ airport }) => airport.code)).size;
}

/** The selection after a visitor chooses `option`; null if `option` was selected before. */
export function chooseAirport(option: AirportOption, selected: Airport | null): Airport | null {
  const isReselected =
    isAirportSelected(option.airport, selected) && selected?.isRegion === option.airport.isRegion;
  return isReselected ? null : option.airport;
}
