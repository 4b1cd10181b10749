import { whenIdle } from './when-idle.ts';

const FIRST_EVENTS = ['pointerdown', 'keydown', 'wheel'];

/** Resolves with the visitor's first interaction. Prerendering has none. */
const interaction = new Promise<void>((resolve) => {
  if (typeof window === 'undefined') return;
  for (const event of FIRST_EVENTS) addEventListener(event, () => resolve(), { passive: true, once: true });
});

/** Runs work when the page is idle after the visitor's first interaction with it. Returns a function that cancels it. */
export function afterInteraction(work: () => void): () => void {
  let isCancelled = false;
  void interaction.then(() => whenIdle(() => isCancelled || work()));
  return () => {
    isCancelled = true;
  };
}
