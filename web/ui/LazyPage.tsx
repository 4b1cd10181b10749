import { type ReactNode, useEffect } from 'react';
import { type LazyCode, useLazyCode } from './lazy-code.ts';

interface LazyPageProps<Code> {
  title: string;
  /** The page's name in the message about a failed load. */
  what: string;
  code: LazyCode<Code>;
  children: (code: Code) => ReactNode;
}

/** A page of which everything but its heading is loaded on demand. */
export function LazyPage<Code>({ title, what, code, children }: LazyPageProps<Code>) {
  const lazy = useLazyCode(code);
  useEffect(() => code.preload(), [code]);
  return (
    <main className="page is-explore">
      <h1 className="hero">{title}</h1>
      {lazy.status === 'stored' ? (
        children(lazy.code)
      ) : (
        <div className="explore-message">
          <p role="status">{lazy.status === 'failed' ? `We couldn’t load ${what}.` : 'Loading...'}</p>
          {lazy.status === 'failed' && (
            <button type="button" className="button-action" onClick={code.preload}>
              Try again
            </button>
          )}
        </div>
      )}
    </main>
  );
}
