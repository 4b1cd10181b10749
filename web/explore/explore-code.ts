import { lazyCode } from '../ui/lazy-code.ts';

/** The form, the list and the states of Explore. */
export const exploreCode = lazyCode('Explore code', () => import('./ExploreContent.tsx'));
