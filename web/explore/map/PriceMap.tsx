import { useLayoutEffect, useRef, useState } from 'react';
import { WITH_CHARGES } from '../../../domain/charge-words.ts';
import { PageLink } from '../../ui/PageLink.tsx';
import { Countries, type MeasuredSize, useSize } from './MapBase.tsx';
import { isInEurope, labelWidth, type MapSize, placeMarkers, viewOf } from './map-view.ts';
import { type MapPoint, project } from './projection.ts';
import './price-map.css';

/** A place on the map, with its price. */
export interface MapPlace {
  name: string;
  country: string;
  /** The total price, such as '£398'. */
  price: string;
  /** Degrees. */
  position: { latitude: number; longitude: number };
  /** The URL that its label opens. */
  href: string;
}

type Part = 'Europe' | 'Further away';

const NO_SIZE: MapSize = { width: 0, height: 0 };

/**
 * Prices as links on a map of Natural Earth's countries. Europe and the places further away are separate views, because
 * a view of both leaves no room for prices. The list has the same prices.
 */
export function PriceMap({ places }: { places: readonly MapPlace[] }) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const { letters } = size;
  const at = ([left, top]: MapPoint) => ({ left: left * letters, top: top * letters });
  const inEurope = places.filter(({ position }) => isInEurope(position));
  const further = places.filter(({ position }) => !isInEurope(position));
  const hasBoth = inEurope.length > 0 && further.length > 0;
  const [part, choose] = useState<Part>('Europe');
  const inPart = part === 'Europe' ? inEurope : further;
  const shown = hasBoth ? inPart : places;
  const parts = useRef<HTMLParagraphElement>(null);
  const corner = useCorner(parts, hasBoth, size);
  const markers = shown.map(({ name, price, position, href }) => ({
    key: href,
    name,
    price,
    point: project(position.longitude, position.latitude),
  }));
  const view = viewOf(
    markers.map(({ point }) => point),
    size,
  );
  return (
    <section className="price-map" aria-label="Map of prices">
      {places.length > 0 && (
        <a className="skip-map" href="#explore-list">
          Skip the map
        </a>
      )}
      {hasBoth && (
        <p ref={parts} className="price-map-parts">
          {(['Europe', 'Further away'] as const).map((each) => (
            <button
              key={each}
              type="button"
              className="chip-button"
              aria-pressed={each === part}
              onClick={() => choose(each)}
            >
              {each}
            </button>
          ))}
        </p>
      )}
      <div ref={box} className="price-map-box">
        <Countries view={view} sold={places.map(({ country }) => country)} />
        <ul>
          {placeMarkers(markers, view, size, corner).map(({ key, name, price, dot, label }, index) => (
            <li key={key}>
              {label !== null && <span className="price-map-dot" style={at(dot)} />}
              <PageLink
                className={label === null ? 'price-map-small' : 'price-map-label'}
                data-cheapest={index === 0 || undefined}
                style={
                  label === null ? at(dot) : { ...at(label), width: labelWidth({ name, price }) * letters }
                }
                href={key}
                title={label === null ? `${name}, from ${price}` : undefined}
              >
                <span className={label === null ? 'visually-hidden' : undefined}>{name}</span>{' '}
                <span className="visually-hidden">from </span>
                <b className={label === null ? 'visually-hidden' : undefined}>{price}</b>
              </PageLink>
            </li>
          ))}
        </ul>
      </div>
      <p className="price-map-source">
        <span>{`Lowest prices, ${WITH_CHARGES}. Map: `}</span>
        <a href="https://www.naturalearthdata.com">Natural Earth</a>
      </p>
    </section>
  );
}

/** The area of the map's upper left corner that an element covers while it is shown. */
function useCorner(
  element: { current: HTMLElement | null },
  isShown: boolean,
  mapSize: MeasuredSize,
): MapSize {
  const [corner, setCorner] = useState(NO_SIZE);
  useLayoutEffect(() => {
    const shown = isShown ? element.current : null;
    if (shown === null) setCorner(NO_SIZE);
    else {
      const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = shown;
      const { letters } = mapSize;
      setCorner({
        width: (offsetLeft + offsetWidth) / letters,
        height: (offsetTop + offsetHeight) / letters,
      });
    }
  }, [element, isShown, mapSize]);
  return corner;
}
