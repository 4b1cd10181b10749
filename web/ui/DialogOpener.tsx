import type { ReactNode } from 'react';
import type { LazyCode } from './lazy-part.tsx';

interface OpenerProps {
  code: LazyCode<unknown>;
  className: string;
  children: ReactNode;
  onOpen(): void;
}

/** Opens a dialog. Hovering or focusing the button preloads the dialog's code. */
export function DialogOpener({ code, className, children, onOpen }: OpenerProps) {
  return (
    <button
      type="button"
      className={className}
      aria-haspopup="dialog"
      onClick={onOpen}
      onPointerEnter={code.preload}
      onFocus={code.preload}
    >
      {children}
    </button>
  );
}
