import { useMemo, useState, useSyncExternalStore } from 'react';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import { clearRecentSearches, parseRecentSearches, readStored } from '../search/recent-searches.ts';
import { PageLink } from '../ui/PageLink.tsx';
import './recent-searches.css';

/** Offline, all are shown: their results were kept. */
const MAX_SHOWN = 5;

/** Links to the searches that this device has stored, and a button to clear them. */
export function RecentSearches({ today }: { today: CalendarDate }) {
  const [, renderAgain] = useState(0);
  const stored = useSyncExternalStore(followOtherTabs, readStored, () => null);
  const searches = useMemo(() => parseRecentSearches(stored, today), [stored, today]);
  if (searches.length === 0) return null;

  function clear() {
    clearRecentSearches();
    renderAgain((times) => times + 1);
  }

  return (
    <nav className="recent-searches" aria-label="Recent searches">
      <p>
        <span>Recent searches on this device </span>
        <button type="button" className="link-button" onClick={clear}>
          <span>Clear</span>
          <span className="visually-hidden"> recent searches</span>
        </button>
      </p>
      <ul>
        {(navigator.onLine ? searches.slice(0, MAX_SHOWN) : searches).map(({ address, place, details }) => (
          <li key={address}>
            <PageLink href={address}>
              <b>{place}</b> <span>{details}</span>
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function followOtherTabs(changed: () => void): () => void {
  addEventListener('storage', changed);
  return () => removeEventListener('storage', changed);
}
