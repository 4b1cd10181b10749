import type { AnchorHTMLAttributes } from 'react';
import { goTo } from './dialog-history.ts';

type PageLinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'onClick'> & {
  href: string;
  /** Scrolls to the top of the opened page. */
  toTop?: boolean;
  /** What a click does, if it does more than go to the URL. */
  onOpen?: () => unknown;
};

/** A link within the application, which opens without loading the page again. */
export function PageLink({ href, toTop = false, onOpen = () => goTo(href), ...others }: PageLinkProps) {
  return (
    <a
      {...others}
      href={href}
      onClick={(event) => {
        // The browser handles clicks that open another tab or window.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onOpen();
        if (toTop) scrollTo(0, 0);
      }}
    />
  );
}
