import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useCloseOnBack } from './dialog-history.ts';
import { returnFocus } from './keep-focus.ts';
import './modal.css';

interface ModalProps {
  title: string;
  size?: 'small' | 'middle';
  onClose(): void;
  children: ReactNode;
}

/** A native modal dialog, open while it is rendered. Escape, × and a click on the overlay close it. */
export function Modal({ title, size = 'small', onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useCloseOnBack(onClose);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    document.documentElement.classList.add('has-modal');
    return () => {
      document.documentElement.classList.remove('has-modal');
      if (before instanceof HTMLElement && before !== document.body) returnFocus(before);
    };
  }, []);

  // A click on the element itself is on the overlay. The press must start there too: selecting text past the edge does
  // not close the dialog.
  const pressedOn = useRef<EventTarget | null>(null);
  function closeFromOverlay(event: MouseEvent) {
    if (event.target === dialog.current && pressedOn.current === dialog.current) onClose();
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog handles Escape itself.
    <dialog
      ref={dialog}
      className={`modal is-${size}`}
      aria-labelledby={titleId}
      onClose={onClose}
      onMouseDown={(event) => {
        pressedOn.current = event.target;
      }}
      onClick={closeFromOverlay}
    >
      <div className="modal-body">
        <header className="modal-header">
          <h2 id={titleId}>{title}</h2>
          <button type="button" className="icon-button modal-close" aria-label="Close" onClick={onClose}>
            ×
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
