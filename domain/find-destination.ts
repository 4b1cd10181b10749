import type { DestinationTuple } from './destination.ts';
import type { DestinationIndex } from './destination-index.ts';
import { foldText } from './fold-text.ts';

/**
 * The list's spelling of the place in a tuple; null if it is not listed. Ignores case and accents. Blank
 * levels stay blank: a resort alone means any resort of that name.
 */
export function findDestination(index: DestinationIndex, tuple: DestinationTuple): DestinationTuple | null {
  const {
    spellings: written,
    tuples,
    names: { names, level, ownName },
  } = index;
  const folded = tuple.map(foldText);
  const own = tuple.findLastIndex((name) => name !== '');
  const inList = (option: number) =>
    tuple.map((name, at) => (name === '' ? '' : (written[tuples[3 * option + at] ?? 0] ?? '')));
  const found = level.findIndex(
    (each, option) =>
      each === own &&
      // Compares the own names first, so that few options need a full comparison.
      names[ownName[option] ?? 0] === folded[own] &&
      inList(option).every(
        (name, at) => foldText(name) === folded[at] && (name === '') === (tuple[at] === ''),
      ),
  );
  if (found < 0) {
    // A region's only resort of the same name is that region.
    const [country, region, resort] = tuple;
    return resort !== '' && folded[1] === folded[2] ? findDestination(index, [country, region, '']) : null;
  }
  const [country = '', region = '', resort = ''] = inList(found);
  return [country, region, resort];
}
