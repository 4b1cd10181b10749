import { buildCatalogue, type Catalogue } from './catalogue.ts';
import { type ItemText, itemTexts } from './item-text.ts';
import type { PackageRepository } from './package-repository.ts';

interface Current {
  catalogue: Catalogue;
  itemText: ItemText;
}

/** The dictionaries, read anew only after they were replaced. */
export interface CurrentCatalogue {
  /** As they are now; a store that is elsewhere is asked once a second. */
  asKnown(): Promise<Current>;
  /** Read now, whatever is known. */
  readAnew(): Promise<Current>;
}

export function currentCatalogue(repository: PackageRepository): CurrentCatalogue {
  let version: string | null = null;
  let current: Promise<Current> | null = null;

  function readAnew(): Promise<Current> {
    const reading = repository.readReference().then((reference) => {
      const catalogue = buildCatalogue(reference);
      return { catalogue, itemText: itemTexts(catalogue) };
    });
    current = reading;
    // A reading that failed is no answer to the next question.
    reading.catch(() => {
      if (current === reading) current = null;
    });
    return reading;
  }

  return {
    readAnew,
    async asKnown() {
      const newest = await repository.referenceVersion();
      if (current !== null && newest === version) return current;
      version = newest;
      return readAnew();
    },
  };
}
