import { lazyCode } from '../../ui/lazy-code.ts';

/** The page of '/shortlist'. */
export const shortlistCode = lazyCode('shortlist', () => import('./ShortlistContent.tsx'));
