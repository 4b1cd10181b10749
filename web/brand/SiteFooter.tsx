import type { PageConfig } from '../config/page-config.ts';

/** The footer, with the link to the provider (Section 2). */
export function SiteFooter({ config }: { config: PageConfig }) {
  const { brandName, providerName, providerUrl, footerText, footerLinks, priceRecordRoot } = config;
  return (
    <footer className="site-footer">
      <p>{`${brandName} compares holidays but doesn’t sell them. You book with the provider, at their price.`}</p>
      {footerText !== null && <p>{footerText}</p>}
      <ul className="site-footer-links">
        <li>
          <a href={providerUrl ?? '/'} rel="noopener">
            {providerName ?? providerUrl ?? brandName}
          </a>
        </li>
        {footerLinks.map(({ text, url }) => (
          <li key={url}>
            <a href={url}>{text}</a>
          </li>
        ))}
        <li>
          <a href="/accessibility.html">Accessibility</a>
        </li>
      </ul>
      {priceRecordRoot !== null && (
        <p>
          <a href="/price-record">{`Price record ${priceRecordRoot.slice(0, 12)}`}</a>
        </p>
      )}
    </footer>
  );
}
