import { createContext, use } from 'react';
import { usePathname } from 'wouter/use-browser-location';

/** The path that the page was prerendered for, which may be another than the address has. */
export const PrerenderedPath = createContext('/');

/** The path of the address; while the prerendered page is taken over, the path of that. */
export function usePath(): string {
  return usePathname({ ssrPath: use(PrerenderedPath) });
}
