import { type ReactNode, useRef, useState } from 'react';
import { Icon } from '../ui/Icon.tsx';
import './photo-strip.css';

interface PhotoStripProps {
  images: readonly string[];
  photo: (image: string) => ReactNode;
}

/** A hotel's photos in a row, to swipe or to move through by buttons and arrow keys. */
export function PhotoStrip({ images, photo }: PhotoStripProps) {
  const [shown, setShown] = useState(0);
  const [reached, setReached] = useState(0);
  const strip = useRef<HTMLUListElement>(null);

  function follow({ scrollLeft, clientWidth }: HTMLElement): void {
    const next = Math.round(Math.abs(scrollLeft) / Math.max(clientWidth, 1));
    setShown(next);
    setReached(Math.max(reached, next));
  }
  function move(by: number): void {
    const element = strip.current;
    const to = shown + by;
    if (element === null || to < 0 || to >= images.length) return;
    const direction = getComputedStyle(element).direction === 'rtl' ? -1 : 1;
    setReached(Math.max(reached, to));
    element.scrollTo({ left: to * element.clientWidth * direction });
  }
  const button = (by: 1 | -1, name: string) => (
    <button
      type="button"
      className="photo-button"
      aria-label={name}
      aria-disabled={shown + by < 0 || shown + by >= images.length}
      onClick={() => move(by)}
    >
      <Icon name={by < 0 ? 'left' : 'right'} />
    </button>
  );

  return (
    <>
      <ul
        ref={strip}
        className="photo-strip"
        aria-label="Photos"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll it.
        tabIndex={0}
        onScroll={({ currentTarget }) => follow(currentTarget)}
      >
        {images.map((image, index) => (
          <li key={image} className="photo-frame">
            {/* Only the next photo is loaded in advance. */}
            {index <= reached + 1 && photo(image)}
          </li>
        ))}
      </ul>
      {button(-1, 'Previous photo')}
      {button(1, 'Next photo')}
      <p className="photo-count" aria-live="polite">
        <span className="visually-hidden">Photo </span>
        {shown + 1} of {images.length}
      </p>
    </>
  );
}
