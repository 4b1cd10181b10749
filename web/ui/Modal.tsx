import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import './modal.css';

/**
 * A dialog over the page, on the browser's own: it holds the focus, closes on Escape, on × and on a click
 * beside it, and gives the focus back to what had it. It is open for as long as it is there.
 */
export function Modal({ title, onClose, children }: { title: string; onClose(): void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  // The dialog's own box ends at its padding-free edge, so a click on the element itself is on the overlay. It
  // has to begin there too: text that is selected beyond the edge closes nothing.
  const beganOn = useRef<EventTarget | null>(null);
  function closeFromOverlay(event: MouseEvent) {
    if (event.target === dialog.current && beganOn.current === dialog.current) onClose();
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape, the keyboard's way, is the dialog's own.
    <dialog
      ref={dialog}
      className="modal"
      aria-labelledby={titleId}
      onClose={onClose}
      onMouseDown={(event) => {
        beganOn.current = event.target;
      }}
      onClick={closeFromOverlay}
    >
      <div className="modal-body">
        <header className="modal-header">
          <h2 id={titleId}>{title}</h2>
          <button type="button" className="modal-close" aria-label="Close" onClick={onClose}>
            ×
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
