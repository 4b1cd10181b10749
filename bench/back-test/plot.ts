export interface PlotLine {
  name: string;
  /** An index into the line styles, which can be distinguished without colour. */
  look: 0 | 1 | 2;
  points: readonly (readonly [x: number, y: number])[];
}

export interface Plot {
  title: string;
  xTitle: string;
  yTitle: string;
  lines: readonly PlotLine[];
  x: readonly [min: number, max: number];
  y: readonly [min: number, max: number];
  xTicks: readonly (readonly [x: number, label: string])[];
  yTicks: readonly (readonly [y: number, label: string])[];
  /** The target range, marked in the plot. */
  band?: readonly [from: number, to: number];
}

const WIDTH = 720;
const HEIGHT = 340;
const LEFT = 64;
const RIGHT = 16;
const TOP = 56;
const BOTTOM = 56;
const LINE_STYLES = [
  { colour: '#1450c8', dash: 'none' },
  { colour: '#b45c00', dash: '8 4' },
  { colour: '#12703c', dash: '2 4' },
] as const;

/** A line plot as SVG, readable on light and dark pages. */
export function plotSvg(plot: Plot): string {
  const x = (value: number) => scale(value, plot.x, LEFT, WIDTH - RIGHT);
  const y = (value: number) => scale(value, plot.y, HEIGHT - BOTTOM, TOP);
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(LEFT, 22, plot.title, 'font-weight="700" font-size="15"'),
    ...(plot.band === undefined
      ? []
      : [
          `<rect x="${LEFT}" y="${y(plot.band[1])}" width="${WIDTH - LEFT - RIGHT}" height="${round(y(plot.band[0]) - y(plot.band[1]))}" fill="#e5f6ec"/>`,
        ]),
    ...plot.yTicks.map(
      ([value, label]) =>
        `<path d="M${LEFT} ${y(value)}H${WIDTH - RIGHT}" stroke="#d5e0ec"/>${text(LEFT - 8, y(value) + 4, label, 'text-anchor="end"')}`,
    ),
    ...plot.xTicks.map(([value, label]) =>
      text(x(value), HEIGHT - BOTTOM + 20, label, 'text-anchor="middle"'),
    ),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, plot.xTitle, 'text-anchor="middle"'),
    `<g transform="translate(16 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)">${text(0, 0, plot.yTitle, 'text-anchor="middle"')}</g>`,
    ...plot.lines.map(({ look, points }) => {
      const { colour, dash } = LINE_STYLES[look];
      const path = points.map(([px, py], index) => `${index === 0 ? 'M' : 'L'}${x(px)} ${y(py)}`).join('');
      const dots = points.map(([px, py]) => `<circle cx="${x(px)}" cy="${y(py)}" r="3" fill="${colour}"/>`);
      return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>${dots.join('')}`;
    }),
    ...plot.lines.map(({ name, look }, index) => {
      const { colour, dash } = LINE_STYLES[look];
      const left = LEFT + index * 200;
      return `<path d="M${left} 40h28" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>${text(left + 34, 44, name, '')}`;
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#14233b" role="img">
<title>${escaped(plot.title)}</title>
${parts.join('\n')}
</svg>
`;
}

function text(x: number, y: number, words: string, attributes: string): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escaped(words)}</text>`;
}

function scale(value: number, [min, max]: readonly [number, number], from: number, to: number): number {
  return round(from + ((value - min) / (max - min)) * (to - from));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(words: string): string {
  return words.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
