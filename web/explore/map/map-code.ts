import { lazyCode } from '../../ui/lazy-code.ts';

/** The map and the shapes of its countries. */
export const mapCode = lazyCode('map', () => import('./PriceMap.tsx'));
