import { useLayoutEffect, useMemo, useState } from 'react';
import countries from './map-countries.json';
import type { MapSize, MapView } from './map-view.ts';
import './price-map.css';

/** `letters`: the font size, divided by 16 pixels. */
export type MeasuredSize = MapSize & { letters: number };

/** Used until the map is measured. */
const DEFAULT_SIZE: MeasuredSize = { width: 640, height: 480, letters: 1 };

/** A decorative drawing of the countries. Those with a price are lighter. */
export function Countries({ view, sold }: { view: MapView; sold: readonly string[] }) {
  const names = sold.join('\n');
  const paths = useMemo(() => {
    const withPrice = new Set(names.toLowerCase().split('\n'));
    return Object.entries(countries).map(([name, path]) => (
      <path key={name} d={path} className={withPrice.has(name.toLowerCase()) ? 'has-price' : undefined} />
    ));
  }, [names]);
  return (
    <svg
      viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      focusable="false"
    >
      {paths}
    </svg>
  );
}

/** The size of the map divided by `letters`, as if the font size were 16 pixels. Updates with the size. */
export function useSize(box: { current: HTMLElement | null }): MeasuredSize {
  const [size, setSize] = useState(DEFAULT_SIZE);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => {
      const letters = letterScale();
      setSize({
        width: (element.clientWidth || 1) / letters,
        height: (element.clientHeight || 1) / letters,
        letters,
      });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
}

/** On a phone, labels do not grow with the letters (`price-map.css`). */
function letterScale(): number {
  if (matchMedia('(max-width: 16em)').matches) return 1;
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}
