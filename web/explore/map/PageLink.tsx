import type { AnchorHTMLAttributes } from 'react';
import { goTo } from '../../ui/dialog-history.ts';

type PageLinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'onClick'> & {
  href: string;
  /** Scrolls to the top of the page that it opens. */
  toTop?: boolean;
};

/** A link within the application, which opens without loading the page again. */
export function PageLink({ href, toTop = false, ...others }: PageLinkProps) {
  return (
    <a
      {...others}
      href={href}
      onClick={(event) => {
        // The browser handles clicks that open another tab or window.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        goTo(href);
        if (toTop) scrollTo(0, 0);
      }}
    />
  );
}
