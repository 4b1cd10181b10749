import { createContext, type ReactNode, use } from 'react';
import type { PageConfig } from '../config/page-config.ts';
import type { LoadState } from '../ui/load-state.ts';
import { type HolidaySearchControl, useHolidaySearch } from './use-holiday-search.ts';
import type { SearchCode } from './use-running-search.ts';

interface SearchContextValue extends HolidaySearchControl {
  config: PageConfig;
  hasSettings: boolean;
}

/** Components read it with `useSearchContext`. */
const SearchContext = createContext<SearchContextValue | null>(null);

interface SearchProviderProps {
  config: LoadState<PageConfig>;
  /** The current settings: the defaults until the configuration is loaded. */
  settings: PageConfig;
  /** Loads the code that runs searches: see `useRunningSearch`. */
  loadCode: () => Promise<SearchCode>;
  children: ReactNode;
}

export function SearchProvider({ config, settings, loadCode, children }: SearchProviderProps) {
  const control = useHolidaySearch(config, loadCode);
  const hasSettings = config.status === 'stored';
  return <SearchContext value={{ ...control, config: settings, hasSettings }}>{children}</SearchContext>;
}

/** The page's one search. Throws an Error outside a SearchProvider. */
export function useSearchContext(): SearchContextValue {
  const value = use(SearchContext);
  if (value === null) throw new Error('useSearchContext needs a SearchProvider around it');
  return value;
}
