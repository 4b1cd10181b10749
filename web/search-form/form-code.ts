import { lazyCode } from '../ui/lazy-part.tsx';

/** The code that searches the lists, the calendar and further options, loaded with the first interaction. */
export const formCode = lazyCode(() => import('./form-parts.ts'));
