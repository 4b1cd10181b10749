import { useEffect, useRef, useState } from 'react';
import { WITH_CHARGES } from '../../../domain/charge-words.ts';
import { Countries, useSize } from './MapBase.tsx';
import { groupPins, type MapView, viewOf } from './map-view.ts';
import { project, UNITS } from './projection.ts';
import './pin-map.css';

export interface MapPin {
  /** Unique. */
  key: string;
  name: string;
  country: string;
  /** Such as '£398'. */
  price: string;
  /** Degrees. */
  latitude: number;
  longitude: number;
}

interface PinMapProps {
  /** In the order of the results. A group shows the price of its first pin. */
  pins: readonly MapPin[];
  selected: string | null;
  onOpen: (key: string) => void;
}

/** Two kilometres, in units of the map. */
const MIN_SPAN = 1;

/** The most hotels in one spot that a list on the map has room for. */
const MAX_LISTED = 6;

/** In closer views the coasts are too coarse: hotels would be in the sea. */
const MIN_WIDTH_OF_COASTS = 40;

/** Prices as buttons on the map. Prices that would overlap form a group, which opens as a closer map or a list. */
export function PinMap({ pins, selected, onOpen }: PinMapProps) {
  const box = useRef<HTMLDivElement>(null);
  const back = useRef<HTMLButtonElement>(null);
  const size = useSize(box);
  const [opened, openGroup] = useState<readonly string[]>([]);
  const all = pins.map((pin) => ({ ...pin, point: project(pin.longitude, pin.latitude) }));
  const inGroup = all.filter(({ key }) => opened.includes(key));
  const isClose = inGroup.length > 0;
  const shown = isClose ? inGroup : all;
  const view = viewOf(
    shown.map(({ point }) => point),
    size,
    MIN_SPAN,
  );
  const groups = groupPins(shown, view, size);
  const isDetail = view.width < MIN_WIDTH_OF_COASTS;
  const km = kilometresOf(view, shown[0]?.latitude ?? 0);
  const isHeap = groups.length === 1 && shown.length > 1;
  useEffect(() => {
    if (opened.length > 0) back.current?.focus();
  }, [opened]);
  return (
    <section className="price-map pin-map" aria-label="Map of results">
      {isClose && (
        <button
          ref={back}
          type="button"
          className="chip-button"
          onClick={() => {
            openGroup([]);
            box.current?.focus();
          }}
        >
          {`Show all ${pins.length}`}
        </button>
      )}
      <div
        ref={box}
        className={`price-map-box${isDetail ? ' is-detail' : ''}${isHeap ? ' is-heap' : ''}`}
        tabIndex={-1}
      >
        {!isDetail && <Countries view={view} sold={pins.map(({ country }) => country)} />}
        <ul className={isHeap ? 'pin-list' : undefined}>
          {(isHeap ? shown.slice(0, MAX_LISTED).map((pin) => ({ pins: [pin], at: undefined })) : groups).map(
            ({ pins: [first, ...others], at }) => {
              if (first === undefined) return null;
              const keys = [first, ...others].map(({ key }) => key);
              return (
                <li key={first.key}>
                  <button
                    type="button"
                    className="map-pin"
                    aria-current={selected !== null && keys.includes(selected)}
                    style={at && { left: at[0] * size.letters, top: at[1] * size.letters }}
                    onClick={() => (others.length > 0 ? openGroup(keys) : onOpen(first.key))}
                  >
                    {others.length > 0 ? (
                      <span>
                        {keys.length}
                        <span className="visually-hidden"> holidays</span> from{' '}
                      </span>
                    ) : (
                      <span className={isHeap ? undefined : 'visually-hidden'}>{`${first.name} `}</span>
                    )}
                    <b>{first.price}</b>
                  </button>
                </li>
              );
            },
          )}
        </ul>
        {isHeap && shown.length > MAX_LISTED && (
          <p>{`${shown.length - MAX_LISTED} more in this spot: see the list`}</p>
        )}
      </div>
      <p className="price-map-source">
        <span>{`Prices ${WITH_CHARGES}. ${km} km across. `}</span>
        {!isDetail && <a href="https://www.naturalearthdata.com">Map: Natural Earth</a>}
      </p>
    </section>
  );
}

/** The view's width at a latitude, to two digits. */
function kilometresOf({ width }: MapView, latitude: number): string {
  const km = (width / UNITS) * 111.2 * Math.cos((latitude * Math.PI) / 180);
  return Number(km.toPrecision(2)).toLocaleString('en-GB');
}
