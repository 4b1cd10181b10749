import type { FocusEvent } from 'react';

/** Shows the whole form of a focused field, also once a phone's keyboard has opened, so that its button is in reach. */
export function keepFormInView({ currentTarget: form }: FocusEvent<HTMLFormElement>): void {
  const show = () => form.scrollIntoView({ block: 'nearest' });
  show();
  visualViewport?.addEventListener('resize', show, { once: true });
}
