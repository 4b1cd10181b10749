import { createContext, use } from 'react';
import { usePathname } from 'wouter/use-browser-location';

/** The path that the page was prerendered for, which may differ from the address. */
export const PrerenderedPath = createContext('/');

/** The path of the address without a trailing slash; during hydration, the path that the page was prerendered for. */
export function usePath(): string {
  return withoutTrailingSlash(usePathname({ ssrPath: use(PrerenderedPath) }));
}

export function withoutTrailingSlash(path: string): string {
  return path.replace(/(.)\/+$/, '$1');
}
