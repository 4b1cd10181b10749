import { useEffect } from 'react';
import type { BrandColours } from '../../domain/brand-colours.ts';

/** The stylesheet with which a server or an export sets the colours before any script runs. */
const PAINTED = 'link[data-brand]';

/** Applies the brand's colours unless a stylesheet already has: on a host that sets them only in config.json. */
export function useBrandColours(colours: BrandColours | null): void {
  useEffect(() => {
    if (colours === null || document.querySelector(PAINTED) !== null) return;
    let isOver = false;
    let unpaint = () => {};
    import('./apply-brand-colours.ts').then(
      ({ applyBrandColours }) => {
        if (!isOver) unpaint = applyBrandColours(colours);
      },
      // The page keeps its default colours.
      () => {},
    );
    return () => {
      isOver = true;
      unpaint();
    };
  }, [colours]);
}
