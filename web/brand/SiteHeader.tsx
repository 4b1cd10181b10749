import type { PageConfig } from '../config/page-config.ts';
import { useShortlist } from '../shortlist/shortlist.ts';
import { goTo } from '../ui/dialog-history.ts';
import { PageLink } from '../ui/PageLink.tsx';
import logo from './logo.svg';

/** The brand header. It links to '/', which hides the results and keeps them (Section 2). */
export function SiteHeader({ config }: { config: PageConfig }) {
  const { brandName, brandLogoUrl, facets } = config;
  const saved = useShortlist() ?? [];
  return (
    <header className="site-header">
      <PageLink className="site-brand" href="/" onOpen={() => location.pathname !== '/' && goTo('/')}>
        {brandLogoUrl === null ? (
          <img src={logo} alt="" width={40} height={40} />
        ) : (
          <img src={brandLogoUrl} alt="" height={40} />
        )}
        <span>{brandName}</span>
      </PageLink>
      <p className="site-tagline">Flight and hotel, one honest price</p>
      {facets && saved.length > 0 && (
        <PageLink className="site-shortlist" href="/shortlist" toTop>
          {`Shortlist (${saved.length})`}
        </PageLink>
      )}
    </header>
  );
}
