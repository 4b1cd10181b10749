import { useEffect } from 'react';
import type { BrandColours } from '../../domain/brand-colours.ts';

/** The stylesheet that a server or an export has painted the page with: the colours are there before any script. */
const PAINTED = 'link[data-brand]';

/** Paints the brand's colours where nobody has painted them yet: on a host that has them in config.json alone. */
export function useBrandColours(colours: BrandColours | null): void {
  useEffect(() => {
    if (colours === null || document.querySelector(PAINTED) !== null) return;
    let isOver = false;
    let unpaint = () => {};
    import('./apply-brand-colours.ts').then(
      ({ applyBrandColours }) => {
        if (!isOver) unpaint = applyBrandColours(colours);
      },
      // The page is as good in its own colours.
      () => {},
    );
    return () => {
      isOver = true;
      unpaint();
    };
  }, [colours]);
}
