import type { ReactNode } from 'react';
import './list-popup.css';

export interface ListPopupProps {
  isOpen: boolean;
  /** The listbox, always rendered so that the field can refer to it. */
  list: ReactNode;
  /** A line under or instead of the list, hidden from screen readers: the field announces its own status. */
  note: string;
}

/** The popup of an autocomplete, in flow after its input. */
export function ListPopup({ isOpen, list, note }: ListPopupProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press beside the options keeps the focus in the input.
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
