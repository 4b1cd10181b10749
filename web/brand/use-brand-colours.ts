import { useEffect } from 'react';
import type { BrandColours } from '../../domain/brand-colours.ts';

/** The stylesheet by which a server or an export sets the colours before any script runs. */
const PAINTED = 'link[data-brand]';

/** Applies the brand's colours, unless a stylesheet of the host already does. */
export function useBrandColours(colours: BrandColours | null): void {
  useEffect(() => {
    if (colours === null || document.querySelector(PAINTED) !== null) return;
    let isCancelled = false;
    let remove = () => {};
    import('./apply-brand-colours.ts').then(
      ({ applyBrandColours }) => {
        if (!isCancelled) remove = applyBrandColours(colours);
      },
      // The page keeps its default colours.
      () => {},
    );
    return () => {
      isCancelled = true;
      remove();
    };
  }, [colours]);
}
