import { useEffectEvent, useLayoutEffect } from 'react';

/** Passes what a visitor entered before hydration to `adopt`, since React would discard it. */
export function useInputBeforeHydration(id: string, shown: string, adopt: (value: string) => void): void {
  const check = useEffectEvent(() => {
    const control = document.getElementById(id);
    const isControl = control instanceof HTMLInputElement || control instanceof HTMLSelectElement;
    if (isControl && control.value !== shown) adopt(control.value);
  });
  useLayoutEffect(() => check(), []);
}
