import type { ReactNode } from 'react';
import './list-popup.css';

export interface ListPopupProps {
  isOpen: boolean;
  /** The listbox, always rendered so that the field can refer to it. */
  list: ReactNode;
  /** A line under or instead of the list. Hidden from screen readers, which hear the field's status. */
  note: string;
}

/** The popup of an autocomplete, in flow after its input. */
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
