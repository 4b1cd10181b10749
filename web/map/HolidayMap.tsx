import { LngLatBounds, type MapLibreMap } from 'maplibre-gl';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import Supercluster from 'supercluster';
import { PageLink } from '../ui/PageLink.tsx';
import { drawnMap, MAX_ZOOM } from './drawn-map.ts';
import { mapStyle, type OwnTiles } from './map-style.ts';
import './holiday-map.css';

// Loaded as one file with MapLibre.
export { drawHotelMap } from './hotel-map.ts';

/** A price on the map. */
export interface MapPin {
  /** Unique. */
  key: string;
  name: string;
  pounds: number;
  /** Such as '£398'. */
  price: string;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** The page that the pin opens; undefined: `onOpen`. */
  href?: string;
}

interface HolidayMapProps {
  label: string;
  pins: readonly MapPin[];
  /** The map moves to show all pins when this changes. Default: when the pins do. */
  subject?: string;
  selected?: string | null;
  onOpen?: (key: string) => void;
  /** Whether pins show names. */
  isNamed?: boolean;
  ownTiles: OwnTiles | null;
  /** Said of the prices. */
  note: string;
  /** Shown over the map. */
  children?: ReactNode;
}

/** The zoom for a single place. */
const FIRST_ZOOM = 12;
const EDGE = 64;
/** The most pins in one spot that a list over the map has room for. */
const MAX_LISTED = 20;

/**
 * Prices on a map of real coasts and towns, served by this site. Pins that would overlap form a group, which opens
 * by zooming. Without WebGL, the same pins are a list.
 */
export function HolidayMap(props: HolidayMapProps) {
  const { label, pins, selected = null, isNamed = false, ownTiles, note, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<MapLibreMap | null>(null);
  const [isFailed, setFailed] = useState(false);
  // The pins follow each frame of a movement.
  const [, setFrame] = useState(0);
  const [spot, setSpot] = useState<readonly MapPin[]>([]);
  const wanted = useRef<string | null>(null);
  const groupsOf = useMemo(() => grouping(pins, isNamed), [pins, isNamed]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const drawing = drawnMap(element, ownTiles);
    if (drawing === null) return setFailed(true);
    drawing.on('move', () => setFrame((frame) => frame + 1));
    setMap(drawing);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const repaint = () => void drawing.setStyle(mapStyle(element, ownTiles));
    dark.addEventListener('change', repaint);
    return () => {
      dark.removeEventListener('change', repaint);
      drawing.remove();
      setMap(null);
    };
  }, [ownTiles]);
  const { subject = pins } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other pins of a subject leave the view as it is.
  useEffect(() => {
    map?.fitBounds(boundsOf(nearPins(pins)), { padding: EDGE, maxZoom: FIRST_ZOOM, animate: false });
    setFrame((frame) => frame + 1);
  }, [map, subject]);
  const groups = map === null ? [] : groupsOf(map);
  useEffect(() => {
    if (wanted.current === null || map?.isMoving()) return;
    const nth = groups.findIndex(({ leaves }) => leaves.some(({ key }) => key === wanted.current));
    wanted.current = null;
    box.current?.parentElement?.querySelectorAll<HTMLElement>('.map-pin')[nth]?.focus();
  });

  function open(group: PinGroup) {
    if (group.leaves.length > MAX_LISTED || group.opensAt <= MAX_ZOOM) {
      const [first] = group.leaves;
      wanted.current = first?.key ?? null;
      map?.once('moveend', () => setFrame((frame) => frame + 1));
      map?.easeTo({ center: [group.longitude, group.latitude], zoom: Math.min(group.opensAt, MAX_ZOOM) });
    } else setSpot(group.leaves);
  }

  const pinOf = (pin: MapPin, style?: Record<string, number>) => (
    <Pin
      {...props}
      pin={pin}
      isNamed={isNamed || style === undefined}
      isSelected={pin.key === selected}
      style={style}
    />
  );
  const groupOf = (group: PinGroup) => {
    const [first] = group.leaves;
    if (map === null || first === undefined) return null;
    const { x, y } = map.project([group.longitude, group.latitude]);
    if (group.leaves.length === 1) return <li key={first.key}>{pinOf(first, { left: x, top: y })}</li>;
    return (
      <li key={`${first.key} ${group.leaves.length}`}>
        <button
          type="button"
          className="map-pin is-group"
          aria-current={group.leaves.some(({ key }) => key === selected)}
          style={{ left: x, top: y }}
          onClick={() => open(group)}
        >
          {group.leaves.length}
          <span className="visually-hidden">{isNamed ? ' places' : ' holidays'}</span> from{' '}
          <b>{group.price}</b>
        </button>
      </li>
    );
  };
  if (isFailed) {
    return (
      <section className="holiday-map" aria-label={label}>
        <p>Your browser can’t draw the map, because it has no WebGL. Here are its prices:</p>
        <ul className="map-spot">
          {pins.map((pin) => (
            <li key={pin.key}>{pinOf(pin)}</li>
          ))}
        </ul>
      </section>
    );
  }
  return (
    <section className="holiday-map" aria-label={label}>
      <div className="holiday-map-frame">
        <div ref={box} className="holiday-map-box" />
        {/* In MapLibre's own box: it ignores fingers and wheels that start anywhere else. */}
        {map !== null &&
          createPortal(<ul className="map-pins">{groups.map(groupOf)}</ul>, map.getCanvasContainer())}
        <p className="map-buttons">
          <button type="button" aria-label="Zoom in" onClick={() => map?.zoomIn()}>
            +
          </button>
          <button type="button" aria-label="Zoom out" onClick={() => map?.zoomOut()}>
            −
          </button>
          <button
            type="button"
            onClick={() => map?.fitBounds(boundsOf(pins), { padding: EDGE, maxZoom: FIRST_ZOOM })}
          >
            Show all
          </button>
        </p>
        {spot.length > 0 ? (
          <div className="map-card">
            <button type="button" className="chip-button" onClick={() => setSpot([])}>
              Close
            </button>
            <ul className="map-spot" aria-label="In this spot">
              {spot.map((pin) => (
                <li key={pin.key}>{pinOf(pin)}</li>
              ))}
            </ul>
          </div>
        ) : (
          children
        )}
      </div>
      <p className="map-source">
        {note} {ownTiles === null ? <Credits /> : ownTiles.attribution}
      </p>
    </section>
  );
}

interface PinProps extends HolidayMapProps {
  pin: MapPin;
  isNamed: boolean;
  isSelected: boolean;
  style: Record<string, number> | undefined;
}

function Pin({ pin, isNamed, isSelected, style, onOpen }: PinProps) {
  const words = (
    <>
      <span className={isNamed ? undefined : 'visually-hidden'}>{`${pin.name} `}</span>
      <b>{pin.price}</b>
    </>
  );
  const common = { className: 'map-pin', 'aria-current': isSelected, style };
  if (pin.href !== undefined) {
    return (
      <PageLink {...common} href={pin.href}>
        {words}
      </PageLink>
    );
  }
  return (
    <button type="button" {...common} onClick={() => onOpen?.(pin.key)}>
      {words}
    </button>
  );
}

function Credits() {
  return (
    <>
      Coasts © <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors, to 250 m.
      Names: <a href="https://www.geonames.org">GeoNames</a>.
    </>
  );
}

/** A pin, or pins that would overlap. */
interface PinGroup {
  leaves: MapPin[];
  /** The lowest price. */
  price: string;
  latitude: number;
  longitude: number;
  /** The zoom at which the group falls apart. */
  opensAt: number;
}

/** Groups the pins in sight. Named pins need more room, as do the browser's larger letters. */
function grouping(pins: readonly MapPin[], isNamed: boolean): (map: MapLibreMap) => PinGroup[] {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const radius = rem * (isNamed ? 5.25 : 4.5);
  const index = new Supercluster<MapPin>({ radius, maxZoom: MAX_ZOOM, extent: 512 });
  index.load(
    pins.map((pin) => ({
      type: 'Feature',
      properties: pin,
      geometry: { type: 'Point', coordinates: [pin.longitude, pin.latitude] },
    })),
  );
  return (map) => {
    const bounds = map.getBounds();
    const box = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()] as const;
    return index.getClusters([...box], Math.round(map.getZoom())).map(({ geometry, properties }) => {
      const [longitude = 0, latitude = 0] = geometry.coordinates;
      if (!('cluster' in properties)) {
        const { price } = properties;
        return { leaves: [properties], price, latitude, longitude, opensAt: 0 };
      }
      const id = properties.cluster_id;
      const leaves = index.getLeaves(id, Number.POSITIVE_INFINITY).map((leaf) => leaf.properties);
      const cheapest = leaves.reduce((least, pin) => (pin.pounds < least.pounds ? pin : least));
      return {
        leaves,
        price: cheapest.price,
        latitude,
        longitude,
        opensAt: index.getClusterExpansionZoom(id),
      };
    });
  };
}

/** Pins within the longitudes of Europe, if there are any: all of the world would show no coasts. */
function nearPins(pins: readonly MapPin[]): readonly MapPin[] {
  const near = pins.filter(({ longitude, latitude }) => longitude > -30 && longitude < 45 && latitude > 20);
  return near.length > 0 ? near : pins;
}

/** Without pins, Europe. */
function boundsOf(pins: readonly MapPin[]): LngLatBounds {
  const bounds = new LngLatBounds();
  for (const { longitude, latitude } of pins) bounds.extend([longitude, latitude]);
  return pins.length > 0 ? bounds : bounds.extend([-20, 28]).extend([35, 58]);
}
