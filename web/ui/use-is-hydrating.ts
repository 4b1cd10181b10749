import { useSyncExternalStore } from 'react';

const NEVER_CHANGES = () => () => {};

/** True while the prerendered page hydrates: parts that depend on the clock or the URL are rendered afterwards. */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(
    NEVER_CHANGES,
    () => false,
    () => true,
  );
}
