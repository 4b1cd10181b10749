import type { PageConfig } from '../config/page-config.ts';

/** The footer, with the link to the provider (Section 2). */
export function SiteFooter({ config }: { config: PageConfig }) {
  const { brandName, providerName, providerUrl, footerText } = config;
  return (
    <footer className="site-footer">
      <p>{brandName} finds and compares holidays and sells none: you book with the provider, at its price.</p>
      {footerText !== null && <p>{footerText}</p>}
      {providerUrl !== null && (
        <p>
          <a href={providerUrl} rel="noopener">
            {providerName ?? providerUrl}
          </a>
        </p>
      )}
      <p>
        <a href="/accessibility.html">Accessibility</a>
      </p>
    </footer>
  );
}
