import { buildCatalogue, type Catalogue } from './catalogue.ts';
import { type ItemText, itemTexts } from './item-text.ts';
import type { PackageRepository } from './package-repository.ts';

export interface CurrentCatalogue {
  catalogue: Catalogue;
  itemText: ItemText;
}

/** The dictionaries as they are now, read anew only after they were replaced. */
export function currentCatalogue(repository: PackageRepository): () => Promise<CurrentCatalogue> {
  let version: string | null = null;
  let current: Promise<CurrentCatalogue> | null = null;
  return async () => {
    const newest = await repository.referenceVersion();
    if (current === null || newest !== version) {
      version = newest;
      current = repository.readReference().then((reference) => {
        const catalogue = buildCatalogue(reference);
        return { catalogue, itemText: itemTexts(catalogue) };
      });
    }
    return current;
  };
}
