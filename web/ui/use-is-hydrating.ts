import { useSyncExternalStore } from 'react';

const NEVER_CHANGES = () => () => {};

/**
 * True while the prerendered page hydrates. It depends on neither the clock nor the address, so whatever does is rendered
 * right after.
 */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(
    NEVER_CHANGES,
    () => false,
    () => true,
  );
}
