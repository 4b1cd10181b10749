import type { ReactNode } from 'react';

/** One part of the page in one state. */
export interface GalleryState {
  /** Unique, and valid in a URL. */
  name: string;
  part: string;
  /** The height of the frame, in pixels. */
  height: number;
  render: () => ReactNode;
  /** Runs before the part is rendered. */
  prepare?: () => void;
  /** Brings the rendered part into the state. */
  act?: () => Promise<void>;
}
