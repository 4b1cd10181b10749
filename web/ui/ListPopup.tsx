import type { ReactNode } from 'react';
import './list-popup.css';

export interface ListPopupProps {
  isOpen: boolean;
  /** The listbox, always there so that the field can name it. */
  list: ReactNode;
  /** A line under the list, or in its place; screen readers hear the field's status in its stead. */
  note: string;
}

/** What opens under an autocomplete, in flow after its input. */
export function ListPopup({ isOpen, list, note }: ListPopupProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press beside the options must only keep the focus in the input, since the list closes without it.
    <div className="list-popup" hidden={!isOpen} onMouseDown={(event) => event.preventDefault()}>
      {list}
      {note !== '' && (
        <p className="list-popup-note" aria-hidden="true">
          {note}
        </p>
      )}
    </div>
  );
}
