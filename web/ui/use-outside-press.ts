import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Calls `onPress` for each press outside the element while `isActive`. */
export function useOutsidePress(
  element: RefObject<HTMLElement | null>,
  isActive: boolean,
  onPress: () => void,
): void {
  const press = useEffectEvent((event: PointerEvent) => {
    if (event.target instanceof Node && !element.current?.contains(event.target)) onPress();
  });
  useEffect(() => {
    if (!isActive) return;
    const listener = (event: PointerEvent) => press(event);
    document.addEventListener('pointerdown', listener);
    return () => document.removeEventListener('pointerdown', listener);
  }, [isActive]);
}
