import { type Airport, type AirportGroup, airportSelectionKey } from './airport.ts';
import { MAX_EDITS, wordEditDistance } from './edit-distance.ts';
import { foldText } from './fold-text.ts';
import { searchWords } from './search-words.ts';

export interface AirportMatches extends AirportGroup {
  /** Whether the heading matches at least as well as the best of its airports. */
  isHeadingBest: boolean;
}

/**
 * Groups with the airports whose name, code or heading contains each word of `text`, ignoring case and
 * accents. An exact code comes first, with its group. Tolerates typing errors only if nothing
 * matches exactly.
 */
export function filterAirportGroups(groups: readonly AirportGroup[], text: string): AirportMatches[] {
  if (text.trim() === '') return groups.map((group) => ({ ...group, isHeadingBest: true }));
  const folded = foldText(text);
  if (folded === '') return [];
  const asWritten = matchExactly(groups, folded);
  return asWritten.length > 0 ? asWritten : matchWithTypos(groups, folded);
}

/**
 * The one selection that `text` names: the airport with that code, else the region or airport with that name,
 * else the only airport whose name has all its words. Null if it names none, or several.
 */
export function namedAirport(airports: readonly Airport[], text: string): Airport | null {
  const wanted = foldText(text);
  if (wanted === '') return null;
  const words = wanted.split(' ');
  const rules: ((airport: Airport) => boolean)[] = [
    ({ code, isRegion }) => !isRegion && foldText(code) === wanted,
    ({ name }) => foldText(name) === wanted,
    ({ name, code, isRegion }) => {
      const own = foldText(`${name} ${code}`).split(' ');
      return !isRegion && words.every((word) => own.includes(word));
    },
  ];
  for (const rule of rules) {
    const named = airports.filter(rule);
    const [first] = named;
    if (first !== undefined) return new Set(named.map(airportSelectionKey)).size === 1 ? first : null;
  }
  return null;
}

function matchExactly(groups: readonly AirportGroup[], text: string): AirportMatches[] {
  const words = text.split(' ');
  const isExact = (airport: Airport) => foldText(airport.code) === text;
  return groups
    .map(({ heading, airports }) => {
      const headingName = foldText(heading?.name ?? '');
      const matching = airports.filter((airport) => {
        const names = `${foldText(airport.name)} ${foldText(airport.code)} ${headingName}`;
        return words.every((word) => names.includes(word));
      });
      const exact = matching.filter(isExact);
      return {
        heading,
        airports: [...exact, ...matching.filter((airport) => !isExact(airport))],
        isHeadingBest: headingName.includes(text) && exact.length === 0,
        rank: exact.length > 0 ? 0 : 1,
      };
    })
    .filter(({ airports }) => airports.length > 0)
    .sort((one, other) => one.rank - other.rank);
}

function matchWithTypos(groups: readonly AirportGroup[], text: string): AirportMatches[] {
  const distances = text.split(' ').map(wordEditDistance);
  const editsIn = (...names: string[]) => {
    const words = names.flatMap((name) => searchWords(foldText(name)));
    return distances.reduce((edits, distanceTo) => edits + Math.min(...words.map(distanceTo)), 0);
  };
  return groups
    .map(({ heading, airports }) => {
      const headingNames = heading === null ? [] : [heading.name];
      const matching = airports
        .map((airport) => ({ airport, edits: editsIn(airport.name, ...headingNames) }))
        .filter(({ edits }) => edits <= MAX_EDITS)
        .sort((one, other) => one.edits - other.edits);
      const rank = matching[0]?.edits ?? 0;
      return {
        heading,
        airports: matching.map(({ airport }) => airport),
        isHeadingBest: editsIn(...headingNames) <= rank,
        rank,
      };
    })
    .filter(({ airports }) => airports.length > 0)
    .sort((one, other) => one.rank - other.rank);
}
