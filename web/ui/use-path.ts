import { createContext, use } from 'react';
import { usePathname } from 'wouter/use-browser-location';

/** The path that the page was prerendered for, which may differ from the address. */
export const PrerenderedPath = createContext('/');

/** The path of the address; during hydration, the path that the page was prerendered for. */
export function usePath(): string {
  return usePathname({ ssrPath: use(PrerenderedPath) });
}
