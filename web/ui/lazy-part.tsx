import {
  Component,
  type ComponentType,
  createElement,
  type FunctionComponent,
  lazy,
  type ReactNode,
  Suspense,
  useState,
} from 'react';
import { useIsHydrating } from './use-is-hydrating.ts';

/** After this time, the load counts as failed. */
const TIMEOUT_MS = 20_000;

/** Sent to the window if code cannot be loaded, also at a second URL. `ReloadOffer` listens. */
export const PART_FAILED = 'skylark:part-failed';

/** Code that is loaded on demand. */
export interface LazyCode<Code> {
  /** Fetches the code once. Rejects on failure; then only a reload of the page can bring it. */
  load(): Promise<Code>;
  /** Starts loading. */
  preload(): void;
  /** A component of the code. Renders its `fallback` until the code is loaded, and if that fails. */
  part<Props extends object>(
    pick: (code: Code) => ComponentType<Props>,
  ): FunctionComponent<Props & { fallback?: ReactNode }>;
}

/** Code that could not be loaded. */
class PartError extends Error {}

/**
 * Code that `fetchCode` imports. The build repeats a failed import under another query string, because browsers keep
 * failed modules (`scripts/finish-page.ts`).
 */
export function lazyCode<Code>(fetchCode: () => Promise<Code>): LazyCode<Code> {
  let loading: Promise<Code> | null = null;
  let loaded: Code | null = null;

  function load(): Promise<Code> {
    loading ??= Promise.race([fetchCode(), rejectAfterTimeout()]).then(
      (code) => {
        loaded = code;
        return code;
      },
      (cause: unknown) => {
        loading = null;
        dispatchEvent(new Event(PART_FAILED));
        const error = new PartError('Part of the page could not be loaded.', { cause });
        console.error(error);
        throw error;
      },
    );
    return loading;
  }

  return {
    load,
    preload: () => void load().catch(() => {}),
    part(pick) {
      const LazyPart = lazy(async () => ({ default: pick(await load()) }));
      const choose = () => (loaded === null ? LazyPart : pick(loaded));
      return ({ fallback = null, ...props }) => createElement(PartFrame, { fallback, choose, props });
    },
  };
}

interface PartFrameProps {
  fallback: ReactNode;
  choose: () => unknown;
  props: object;
}

/** A part with its boundaries. Code that is already loaded renders without the fallback. */
function PartFrame({ fallback, choose, props }: PartFrameProps) {
  if (useIsHydrating()) return fallback;
  return (
    <PartBoundary fallback={fallback}>
      <Suspense fallback={fallback}>
        <PartContent choose={choose} props={props} />
      </Suspense>
    </PartBoundary>
  );
}

function PartContent({ choose, props }: Omit<PartFrameProps, 'fallback'>) {
  const [Content] = useState(choose);
  return createElement(Content as ComponentType<object>, props);
}

function rejectAfterTimeout(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`Timed out after ${TIMEOUT_MS / 1_000} s`)), TIMEOUT_MS);
  });
}

interface PartBoundaryProps {
  fallback: ReactNode;
  children: ReactNode;
}

/** The boundary of every lazy part: one that cannot be loaded leaves the rest of the page usable. */
class PartBoundary extends Component<PartBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (!(error instanceof PartError)) throw error;
    return this.props.fallback;
  }
}
