import { createContext, use } from 'react';
import { usePathname } from 'wouter/use-browser-location';

/** The path that the page was prerendered for, which may differ from the URL. */
export const PrerenderedPath = createContext('/');

/** The URL's path without a trailing slash; during hydration, the prerendered path. */
export function usePath(): string {
  return withoutTrailingSlash(usePathname({ ssrPath: use(PrerenderedPath) }));
}

export function withoutTrailingSlash(path: string): string {
  return path.replace(/(.)\/+$/, '$1');
}
