import { useState } from 'react';
import { alertCode, offersAlerts, SearchAlert } from '../alerts/PriceAlerts.tsx';
import type { WatchedSearch } from '../alerts/watched-search.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { DialogOpener } from '../ui/DialogOpener.tsx';
import { Icon } from '../ui/Icon.tsx';

/** The fragments of links from a hotel's page, which open the form. */
const OPENED_BY: Readonly<Record<string, boolean>> = { '#watch': false, '#booked': true };

/** 'Tell me when this costs less': opens the form for a search, where the site can watch it. */
export function WatchSearch({ watched }: { watched: Omit<WatchedSearch, 'isBooked'> }) {
  const { config } = useSearchContext();
  const [opened, setOpened] = useState<WatchedSearch | null>(() => {
    const isBooked = OPENED_BY[location.hash];
    return isBooked === undefined ? null : { ...watched, isBooked };
  });
  const { search, lowest } = watched;
  if (!offersAlerts(config) || !config.searchAlerts || !search.departureAirport || !search.date) return null;

  function close() {
    // A reload does not open the form again.
    if (location.hash in OPENED_BY)
      history.replaceState(history.state, '', location.pathname + location.search);
    setOpened(null);
  }
  return (
    <>
      <DialogOpener
        code={alertCode}
        className="button-quiet"
        onOpen={() => setOpened({ ...watched, isBooked: false })}
      >
        <Icon name="bell" />
        <span className="watch-label">
          {lowest === null ? 'Tell me when there is something' : 'Tell me when this costs less'}
        </span>
      </DialogOpener>
      {opened && <SearchAlert watched={opened} onClose={close} />}
    </>
  );
}
