import type { KeyboardEvent } from 'react';

const TABBABLE = 'a[href], button, input, select, textarea, [tabindex]';

/** Wraps Tab at both ends of the element that handles the key press, as in a modal dialog. */
export function keepFocusWithin(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(TABBABLE)];
  const stops = all.filter((element) => element.tabIndex >= 0 && !element.matches(':disabled'));
  const end = event.shiftKey ? stops.at(0) : stops.at(-1);
  if (document.activeElement !== end) return;
  event.preventDefault();
  const start = event.shiftKey ? stops.at(-1) : stops.at(0);
  start?.focus();
}
