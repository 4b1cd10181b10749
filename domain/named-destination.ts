import type { DestinationOption } from './destination.ts';
import { type DestinationIndex, optionAt } from './destination-index.ts';
import { stripAnyLevelSuffix } from './destination-search.ts';
import { foldText } from './fold-text.ts';

/** In how many ways a country, a region and a resort can be followed by the names of their parents. */
const PARENT_FORMS = [0, 1, 3] as const;

/**
 * The one option that `text` names: by its label, or by its own name with or without those of its parents, or else
 * by another name. A name that several have is a country's, where one has it, or that of a region that holds the
 * others. Null where the text names none, or several.
 */
export function namedDestination(index: DestinationIndex, text: string): DestinationOption | null {
  const wanted = foldText(stripAnyLevelSuffix(text));
  if (wanted === '') return null;
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

/** The positions of such options: countries first, then regions, then resorts. */
function optionsWhere(index: DestinationIndex, isOne: (option: number) => boolean): number[] {
  return [...index.alphabetical.keys()].filter(isOne);
}
