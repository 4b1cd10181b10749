import { lazyCode } from '../ui/lazy-part.tsx';

/** The form for a search to watch, loaded when a visitor opens it. */
export const searchAlertCode = lazyCode(() => import('./SearchAlert.tsx'));
