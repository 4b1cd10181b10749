import { useMemo, useState, useSyncExternalStore } from 'react';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import { clearRecentSearches, parseRecentSearches, readStored } from '../search/recent-searches.ts';
import { PageLink } from '../ui/PageLink.tsx';
import './recent-searches.css';

const ours = () => localStorage;

/** Links to the searches made on this device, and a button to clear them. They never leave the device. */
export function RecentSearches({ today }: { today: CalendarDate }) {
  const [, look] = useState(0);
  const kept = useSyncExternalStore(
    followOtherTabs,
    () => readStored(ours),
    () => null,
  );
  const searches = useMemo(() => parseRecentSearches(kept, today), [kept, today]);
  if (searches.length === 0) return null;

  function forget() {
    clearRecentSearches(ours);
    look((times) => times + 1);
  }

  return (
    <nav className="recent-searches" aria-label="Recent searches">
      <p>
        <span>Recent searches on this device </span>
        <button type="button" className="link-button" onClick={forget}>
          <span>Clear</span>
          <span className="visually-hidden"> recent searches</span>
        </button>
      </p>
      <ul>
        {searches.map(({ address, place, details }) => (
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
