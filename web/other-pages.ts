import { lazyCode } from './ui/lazy-part.tsx';

export const exploreCode = lazyCode(() => import('./explore/ExploreContent.tsx'));
export const shortlistCode = lazyCode(() => import('./shortlist/page/ShortlistContent.tsx'));

/** The pages of '/explore' and '/shortlist', without their headings. */
export const Explore = exploreCode.part((code) => code.ExploreContent);
export const Shortlist = shortlistCode.part((code) => code.ShortlistContent);
