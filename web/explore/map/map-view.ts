import { type MapPoint, project, UNITS } from './projection.ts';

/** The visible part of the map, in its units. */
export interface MapView {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The size of the map on the page, in pixels. */
export interface MapSize {
  width: number;
  height: number;
}

/** A place on the map. */
export interface MapMarker {
  /** Unique. */
  key: string;
  name: string;
  /** Such as '£199'. */
  price: string;
  point: MapPoint;
}

/** A marker's position in pixels: its dot, and the middle of its label; null: no room for a label. */
export interface PlacedMarker extends MapMarker {
  dot: MapPoint;
  label: MapPoint | null;
}

/** Longitudes and latitudes of Europe and the Mediterranean, from the Canaries to the Red Sea. */
const EUROPE = { west: -26, east: 45, south: 24, north: 66 };

/** The narrowest view, so that a single place is shown with its surroundings. */
const MIN_SPAN = 7 * UNITS;

/** Room for labels around the outermost dots, in pixels. */
const MARGIN = { across: 56, down: 44 };

export const LABEL_HEIGHT = 40;

/** Between a dot and its label, and between labels, in pixels. */
const GAP = 3;
const DOT_RADIUS = 6;

export function isInEurope({ longitude, latitude }: { longitude: number; latitude: number }): boolean {
  const { west, east, south, north } = EUROPE;
  return longitude >= west && longitude <= east && latitude >= south && latitude <= north;
}

/** The view that fits all points into a size; without points, Europe. */
export function viewOf(points: readonly MapPoint[], size: MapSize, minSpan = MIN_SPAN): MapView {
  const shown = points.length > 0 ? points : [project(EUROPE.west, 30), project(EUROPE.east, 58)];
  const xs = shown.map(([x]) => x);
  const ys = shown.map(([, y]) => y);
  const middle = [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2] as const;
  const across = Math.max(Math.max(...xs) - Math.min(...xs), minSpan);
  const down = Math.max(...ys) - Math.min(...ys);
  const free = {
    width: Math.max(size.width - 2 * MARGIN.across, size.width / 2),
    height: Math.max(size.height - 2 * MARGIN.down, size.height / 2),
  };
  const unitsPerPixel = Math.max(across / free.width, down / free.height);
  const [width, height] = [size.width * unitsPerPixel, size.height * unitsPerPixel];
  return { x: middle[0] - width / 2, y: middle[1] - height / 2, width, height };
}

/** The room that a pin takes, in pixels. */
const PIN = { width: 88, height: 34 };

/** Pins at their pixels. A pin that would overlap an earlier one joins its group. */
export function groupPins<T extends { point: MapPoint }>(
  pins: readonly T[],
  view: MapView,
  size: MapSize,
): { pins: T[]; at: MapPoint }[] {
  const scale = size.width / view.width;
  const groups: { pins: T[]; at: MapPoint }[] = [];
  for (const pin of pins) {
    const at = [(pin.point[0] - view.x) * scale, (pin.point[1] - view.y) * scale] as const;
    const group = groups.find(
      ({ at: [x, y] }) => Math.abs(x - at[0]) < PIN.width && Math.abs(y - at[1]) < PIN.height,
    );
    if (group === undefined) groups.push({ pins: [pin], at });
    else group.pins.push(pin);
  }
  return groups;
}

/**
 * Places a label beside each dot, in order, unless it would cover another label or dot. `corner`: the covered area at the
 * map's upper left, which stays free.
 */
export function placeMarkers(
  markers: readonly MapMarker[],
  view: MapView,
  size: MapSize,
  corner: MapSize,
): PlacedMarker[] {
  const scale = size.width / view.width;
  const dots = markers.map(
    ({ point: [x, y] }): MapPoint => [Math.round((x - view.x) * scale), Math.round((y - view.y) * scale)],
  );
  const occupied: Rectangle[] = [{ left: 0, top: 0, right: corner.width, bottom: corner.height }];
  return markers.map((marker, index) => {
    const dot = dots[index] ?? [0, 0];
    const width = labelWidth(marker);
    const others = dots
      .filter((_, other) => other !== index)
      .map((each) => around(each, 2 * DOT_RADIUS, 2 * DOT_RADIUS));
    const label = placesBeside(dot, width).find((middle) => {
      const box = around(middle, width + GAP, LABEL_HEIGHT + GAP);
      return isInside(box, size) && ![...occupied, ...others].some((each) => overlaps(box, each));
    });
    if (label) occupied.push(around(label, width, LABEL_HEIGHT));
    return { ...marker, dot, label: label ?? null };
  });
}

/** The width of a label in pixels: the longer of its two lines, and its padding. */
export function labelWidth({ name, price }: Pick<MapMarker, 'name' | 'price'>): number {
  return Math.round(Math.max(name.length * 6.6, price.length * 9) + 18);
}

/** Where the middle of a label can be: above, below, right and left of a dot, then diagonally. */
function placesBeside([x, y]: MapPoint, width: number): MapPoint[] {
  const down = LABEL_HEIGHT / 2 + DOT_RADIUS + GAP;
  const across = width / 2 + DOT_RADIUS + GAP;
  return [
    [x, y - down],
    [x, y + down],
    [x + across, y],
    [x - across, y],
    [x + across * 0.7, y - down],
    [x - across * 0.7, y - down],
    [x + across * 0.7, y + down],
    [x - across * 0.7, y + down],
  ];
}

interface Rectangle {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function around([x, y]: MapPoint, width: number, height: number): Rectangle {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

function overlaps(one: Rectangle, other: Rectangle): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function isInside({ left, right, top, bottom }: Rectangle, { width, height }: MapSize): boolean {
  return left >= 0 && top >= 0 && right <= width && bottom <= height;
}
