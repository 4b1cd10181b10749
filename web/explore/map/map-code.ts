import { lazyCode } from '../../ui/lazy-code.ts';

/** The maps and the shapes of their countries. */
export const mapCode = lazyCode('map', () => import('./maps.ts'));
