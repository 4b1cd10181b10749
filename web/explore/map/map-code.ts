import { lazyCode } from '../../ui/lazy-code.ts';

/** The maps and the shapes of its countries. */
export const mapCode = lazyCode('map', () => import('./maps.ts'));
