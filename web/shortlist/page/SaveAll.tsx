import { useState } from 'react';
import { goTo } from '../../ui/dialog-history.ts';
import { MAX_SAVED, type SavedHoliday, STORAGE_FULL, storeShortlist } from '../shortlist.ts';
import type { Compared } from './fetch-saved.ts';

interface SaveAllProps {
  /** The shared holidays, as they are now. */
  compared: readonly Compared[];
  /** The holidays saved on this device. */
  own: readonly SavedHoliday[];
}

/** Says that a shared list is a copy, and saves its holidays that are on sale at their price now. */
export function SaveAll({ compared, own }: SaveAllProps) {
  const [refusal, setRefusal] = useState('');
  const others = compared.flatMap(({ itemKey, name, holiday }) => {
    if (name === null || holiday === null || own.some((each) => each.itemKey === itemKey)) return [];
    return [{ itemKey, name, pounds: Math.round(holiday.PriceDetails.TotalPrice) }];
  });

  function saveAll() {
    const excess = own.length + others.length - MAX_SAVED;
    if (excess > 0) {
      setRefusal(
        `You can save ${MAX_SAVED}. Remove ${excess} from your shortlist first, or save these one by one.`,
      );
    } else if (storeShortlist([...own, ...others])) goTo('/shortlist');
    else setRefusal(STORAGE_FULL);
  }

  return (
    <div className="save-all">
      <p>Somebody shared these holidays with you. Your own shortlist hasn’t changed.</p>
      {others.length > 0 && (
        <button type="button" className="button-action" onClick={saveAll}>
          Save all
        </button>
      )}
      <span role="status">{refusal}</span>
    </div>
  );
}
