import type { ReactNode } from 'react';

/** The strokes of each icon, in a 24-unit square. */
const STROKES = {
  globe: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M3.5 12h17M12 3.5c2.7 2.4 4 5.2 4 8.5s-1.3 6.1-4 8.5c-2.7-2.4-4-5.2-4-8.5s1.3-6.1 4-8.5Z" />
    </>
  ),
  map: <path d="m3.5 6.5 5.5-2 6 2.5 5.5-2v12.5l-5.5 2-6-2.5-5.5 2Zm5.5-2V17m6-10v12.5" />,
  pin: (
    <>
      <path d="M12 20.5c4-4.2 6-7.6 6-10.3a6 6 0 1 0-12 0c0 2.7 2 6.1 6 10.3Z" />
      <circle cx="12" cy="10" r="2.2" />
    </>
  ),
  plane: (
    <path d="M10.5 13.5 3.5 10l1.3-1.3 7.2.9 3.9-3.9c1-1 2.7-1.4 3.3-.9.5.6.1 2.3-.9 3.3l-3.9 3.9.9 7.2L14 20.5Zm0 0-3.3 3.3m0 0-2.7-.3m2.7.3.3 2.7" />
  ),
  calendar: (
    <>
      <rect x="4" y="5.5" width="16" height="15" rx="2.5" />
      <path d="M4 10h16M8.5 3.5v4m7-4v4" />
    </>
  ),
  moon: <path d="M19.5 14.3A8 8 0 1 1 9.7 4.5a6.5 6.5 0 0 0 9.8 9.8Z" />,
  search: (
    <>
      <circle cx="10.5" cy="10.5" r="6" />
      <path d="m15 15 5 5" />
    </>
  ),
  close: <path d="m6.5 6.5 11 11m0-11-11 11" />,
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  heart: (
    <path d="M12 20C5.8 15.4 3.5 12.5 3.5 9.2a4.5 4.5 0 0 1 8.5-2 4.5 4.5 0 0 1 8.5 2c0 3.3-2.3 6.2-8.5 10.8Z" />
  ),
  bell: (
    <path d="M6 16.5c1-1.2 1.5-2.6 1.5-4.5v-1.5a4.5 4.5 0 0 1 9 0V12c0 1.9.5 3.3 1.5 4.5ZM10.5 19a1.6 1.6 0 0 0 3 0M12 6V4.5" />
  ),
  left: <path d="m14.5 5.5-6.5 6.5 6.5 6.5" />,
  right: <path d="m9.5 5.5 6.5 6.5-6.5 6.5" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof STROKES;

/** A decorative line drawing in the colour of the text. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {STROKES[name]}
    </svg>
  );
}
