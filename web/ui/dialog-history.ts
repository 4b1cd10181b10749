import { useEffect, useEffectEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';

/** The state of the history entry that a dialog adds, so that Back closes it. It has the URL of the previous entry. */
const DIALOG = 'dialog';

const closeOpenDialogs: (() => void)[] = [];

/** Whether the current entry is a dialog's, even if it has closed since. Such an entry is always the last. */
let isDialogEntry = false;

/** Makes Back close an open dialog, and skip the entry of a closed one. Call it once. */
export function followHistory(): void {
  isDialogEntry = history.state === DIALOG;
  addEventListener('popstate', ({ state }) => {
    const wasDialogEntry = isDialogEntry;
    isDialogEntry = state === DIALOG;
    const close = closeOpenDialogs.at(-1);
    if (close !== undefined) close();
    else if (wasDialogEntry) history.back();
  });
}

/** Watches for the browser's own requests to close something. TypeScript does not know it yet. */
declare const CloseWatcher: (new () => EventTarget & { destroy(): void }) | undefined;

/** Whether Back is such a request, as on Android. With a mouse it goes through the history. */
function isBackCloseRequest(): boolean {
  return typeof CloseWatcher === 'function' && matchMedia('(pointer: coarse)').matches;
}

/** Closes the calling dialog on Back, instead of leaving the page. */
export function useCloseOnBack(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const closeThis = () => close();
    closeOpenDialogs.push(closeThis);
    const watcher = isBackCloseRequest() && CloseWatcher ? new CloseWatcher() : null;
    watcher?.addEventListener('close', closeThis);
    if (watcher === null) addEntry();
    return () => {
      watcher?.destroy();
      closeOpenDialogs.splice(closeOpenDialogs.indexOf(closeThis), 1);
    };
  }, []);
}

/** Browsers refuse history calls after many in a short time. Back then leaves the page instead of closing the dialog. */
function addEntry(): void {
  try {
    if (!isDialogEntry) history.pushState(DIALOG, '');
    isDialogEntry = true;
  } catch (error) {
    console.warn('The browser refused a history entry.', error);
  }
}

/**
 * Goes to a URL within the application. Replaces the current history entry if a dialog added it. If the browser refuses
 * the history call, as after many in a short time, another URL is loaded as a document.
 */
export function goTo(url: string, options: { replace?: boolean; state?: string } = {}): void {
  const replace = options.replace === true || isDialogEntry;
  isDialogEntry = false;
  try {
    navigate(url, { ...options, replace });
  } catch (error) {
    console.warn('The browser refused a history entry.', error);
    if (new URL(url, location.href).href !== location.href) location.assign(url);
  }
}
