import { type ReactNode, useEffect } from 'react';
import { type LazyCode, useLazyCode } from './lazy-code.ts';
import { RetryMessage } from './RetryMessage.tsx';

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

interface DialogProps<Code> {
  code: LazyCode<Code>;
  isOpen: boolean;
  /** The sentence that says what could not be loaded. */
  failed: string;
  children(code: Code): ReactNode;
}

/** A dialog whose code is loaded on opening; a message with a retry button if that fails. */
export function LazyDialog<Code>({ code, isOpen, failed, children }: DialogProps<Code>) {
  const dialog = useLazyCode(code);
  useEffect(() => {
    if (isOpen) code.preload();
  }, [isOpen, code]);
  if (!isOpen) return null;
  if (dialog.status === 'stored') return children(dialog.code);
  if (dialog.status !== 'failed') return null;
  return <RetryMessage className="dialog-failed" words={failed} onRetry={code.preload} />;
}
