import { Icon } from '../ui/Icon.tsx';

/** 'Search', or 'Searching...' while busy (Section 2). */
export function SearchButton({ searching, searchable }: { searching: boolean; searchable: boolean }) {
  return (
    <button type="submit" className="search-button" disabled={searching || !searchable}>
      {!searching && <Icon name="search" />}
      {searching ? 'Searching...' : 'Search'}
    </button>
  );
}
