import type { DestinationOption } from './destination.ts';
import { type DestinationIndex, optionAt } from './destination-index.ts';
import { foldPlace } from './destination-search.ts';

/** How many combinations of parents' names can follow a country's, a region's and a resort's name. */
const PARENT_FORMS = [0, 1, 3] as const;

/**
 * The one option that `text` names: by label, by own name with or without parents, or else by an alternative
 * name. Of equal names, a country wins, or a region that contains the others. Null if `text` names
 * no option, or several.
 */
export function namedDestination(index: DestinationIndex, text: string): DestinationOption | null {
  const wanted = foldPlace(text);
  if (wanted === '') return null;
  // People say 'the Algarve', and 'Prague, Prague' of a list's one Prague.
  const others = [wanted.replace(/^the /, ''), wanted.replace(/^(.+) \1\b/, '$1')];
  return [wanted, ...others].reduce<DestinationOption | null>(
    (found, name) => found ?? optionNamed(index, name),
    null,
  );
}

function optionNamed(index: DestinationIndex, wanted: string): DestinationOption | null {
  const { names, level, ownName, regionName, countryName } = index.names;
  const nameAt = (positions: Uint32Array, option: number) => names[positions[option] ?? 0] ?? '';
  const isNamed = (option: number) => {
    const own = nameAt(ownName, option);
    if (own === '' || !`${wanted} `.startsWith(`${own} `)) return false;
    const [region, country] = [nameAt(regionName, option), nameAt(countryName, option)];
    const parents = [country, region, `${region} ${country}`].slice(0, PARENT_FORMS[level[option] ?? 0]);
    return ['', ...parents].includes(wanted.slice(own.length + 1));
  };
  const called = new Set(index.otherNames.flatMap(({ name, other }) => (other === wanted ? [name] : [])));
  const found = optionsWhere(index, isNamed);
  const [first, ...rest] =
    found.length > 0 ? found : optionsWhere(index, (option) => called.has(nameAt(ownName, option)));
  if (first === undefined) return null;
  const isLesser = (option: number) =>
    (level[first] ?? 0) < (level[option] ?? 0) &&
    (level[first] === 0 ||
      (regionName[first] === regionName[option] && countryName[first] === countryName[option]));
  return rest.every(isLesser) ? optionAt(index, first) : null;
}

/** The positions of the matching options: countries first, then regions, then resorts. */
function optionsWhere(index: DestinationIndex, isOne: (option: number) => boolean): number[] {
  return [...index.alphabetical.keys()].filter(isOne);
}
