import { useEffect, useEffectEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';

/** The state of the history entry that a dialog adds, so that Back closes it. It has the URL of the previous entry. */
const DIALOG = 'dialog';

const closeOpenDialogs: (() => void)[] = [];

/** Whether the current entry is a dialog's, even if it has closed since. Such an entry is always the last. */
let isDialogEntry = false;

/** Makes Back close an open dialog and skip the entry of a closed one. Call it once. */
export function followHistory(): void {
  isDialogEntry = history.state === DIALOG;
  addEventListener('popstate', ({ state }) => {
    const wasDialogEntry = isDialogEntry;
    isDialogEntry = state === DIALOG;
    if (!wasDialogEntry) return;
    const close = closeOpenDialogs.at(-1);
    if (close === undefined) history.back();
    else close();
  });
}

/** Closes the calling dialog on Back, instead of leaving the page. */
export function useCloseOnBack(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const closeThis = () => close();
    closeOpenDialogs.push(closeThis);
    if (!isDialogEntry) history.pushState(DIALOG, '');
    isDialogEntry = true;
    return () => {
      closeOpenDialogs.splice(closeOpenDialogs.indexOf(closeThis), 1);
    };
  }, []);
}

/** Goes to a URL within the application. Replaces the current history entry if a dialog added it. */
export function goTo(url: string, options: { replace?: boolean; state?: string } = {}): void {
  navigate(url, { ...options, replace: options.replace === true || isDialogEntry });
  isDialogEntry = false;
}
