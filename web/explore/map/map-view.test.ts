import { describe, expect, it } from 'vitest';
import { groupPins, LABEL_HEIGHT, labelWidth, type MapMarker, placeMarkers, viewOf } from './map-view.ts';
import { project } from './projection.ts';

const SIZES = [
  { width: 288, height: 280 },
  { width: 343, height: 280 },
  { width: 700, height: 600 },
];

const PLACES: [name: string, longitude: number, latitude: number][] = [
  ['Spain', -4, 37],
  ['Portugal', -8, 37],
  ['Croatia', 16.4, 43.5],
  ['Montenegro', 18.8, 42.3],
  ['Bulgaria', 27.8, 42.7],
  ['Greece', 25, 36],
  ['Turkey', 30, 37],
  ['Cyprus', 33, 35],
  ['Egypt', 33.8, 27.2],
  ['Hungary', 19, 47.5],
  ['Czechia', 14.4, 50],
  ['Malta', 14.4, 35.9],
];

const MARKERS: MapMarker[] = PLACES.map(([name, longitude, latitude], index) => ({
  key: name,
  name,
  price: `£${200 + index * 100}`,
  point: project(longitude, latitude),
}));

describe.each(SIZES)('a map of $width by $height', (size) => {
  const view = viewOf(
    MARKERS.map(({ point }) => point),
    size,
  );
  /** The buttons over the map. */
  const corner = { width: 193, height: 48 };
  const placed = placeMarkers(MARKERS, view, size, corner);

  it('has the proportions of its box and contains every dot', () => {
    expect(view.width / view.height).toBeCloseTo(size.width / size.height, 5);
    for (const { dot } of placed) {
      expect(dot[0]).toBeGreaterThan(0);
      expect(dot[0]).toBeLessThan(size.width);
      expect(dot[1]).toBeGreaterThan(0);
      expect(dot[1]).toBeLessThan(size.height);
    }
  });

  it('labels the first place, and no label overlaps another, the edge or the covered corner', () => {
    expect(placed[0]?.label).not.toBeNull();
    const boxes = placed.flatMap((marker) => {
      if (marker.label === null) return [];
      const [x, y] = marker.label;
      const half = labelWidth(marker) / 2;
      return { left: x - half, right: x + half, top: y - LABEL_HEIGHT / 2, bottom: y + LABEL_HEIGHT / 2 };
    });
    for (const [index, one] of boxes.entries()) {
      expect(one.left).toBeGreaterThanOrEqual(0);
      expect(one.right).toBeLessThanOrEqual(size.width);
      expect(one.left >= corner.width || one.top >= corner.height).toBe(true);
      for (const other of boxes.slice(index + 1)) {
        const apart =
          one.right <= other.left ||
          other.right <= one.left ||
          one.bottom <= other.top ||
          other.bottom <= one.top;
        expect(apart).toBe(true);
      }
    }
  });
});

describe('viewOf', () => {
  it('shows a single place with its surroundings', () => {
    const view = viewOf([project(14.4, 35.9)], { width: 400, height: 300 });
    expect(view.width).toBeGreaterThan(300);
  });

  it('shows Europe if there are no places', () => {
    const view = viewOf([], { width: 400, height: 300 });
    const [x, y] = project(10, 45);
    expect(x > view.x && x < view.x + view.width && y > view.y && y < view.y + view.height).toBe(true);
  });
});

describe('Pins on the map', () => {
  it('form a group where they would overlap, and each is in one group', () => {
    const size = { width: 500, height: 400 };
    const pins = [
      [0, 51],
      [0.01, 51],
      [8, 48],
    ].map(([longitude = 0, latitude = 0]) => ({ point: project(longitude, latitude) }));
    const groups = groupPins(
      pins,
      viewOf(
        pins.map(({ point }) => point),
        size,
        1,
      ),
      size,
    );
    expect(groups.map((group) => group.pins.length)).toEqual([2, 1]);
    const close = pins.slice(0, 2);
    const closer = groupPins(
      close,
      viewOf(
        close.map(({ point }) => point),
        size,
        0.1,
      ),
      size,
    );
    expect(closer).toHaveLength(2);
    for (const { at } of [...groups, ...closer]) {
      expect(at[0] >= 0 && at[0] <= size.width && at[1] >= 0 && at[1] <= size.height).toBe(true);
    }
  });
});
