import { lazyCode } from '../ui/lazy-part.tsx';

/** What a visitor may open on the results, loaded with the first interaction. */
export const toolsCode = lazyCode(() => import('./results-tools.ts'));
