import { use } from 'react';
import { EndedSubscription } from './alerts/EndedSubscription.tsx';
import { PrerenderedBrandContext } from './brand/prerendered-brand.ts';
import { SiteFooter } from './brand/SiteFooter.tsx';
import { SiteHeader } from './brand/SiteHeader.tsx';
import { useBrandColours } from './brand/use-brand-colours.ts';
import { DEFAULT_PAGE_CONFIG } from './config/page-config.ts';
import { usePageConfig } from './config/use-page-config.ts';
import { HolidayPage } from './HolidayPage.tsx';
import { ReloadOffer } from './ReloadOffer.tsx';
import { resultsCode } from './results/results-code.ts';
import { SearchProvider } from './search/search-context.tsx';
import { useVitals } from './vitals/use-vitals.ts';

/** The whole application: header, the one page of every route, footer (Section 2). */
export function App() {
  const { config, retry } = usePageConfig();
  const painted = use(PrerenderedBrandContext);
  const settings = config.status === 'stored' ? config.value : { ...DEFAULT_PAGE_CONFIG, ...painted };
  useBrandColours(settings.brandColours);
  useVitals(settings.vitalsEndpoint);
  return (
    <>
      <SiteHeader config={settings} />
      {config.status === 'failed' ? (
        <main className="settings-failed">
          <div role="alert">
            <h1>{config.message}</h1>
            <p>Check your connection, then try again.</p>
          </div>
          <button type="button" className="button-action" onClick={retry}>
            Try again
          </button>
        </main>
      ) : (
        <SearchProvider config={config} settings={settings} loadCode={resultsCode.load}>
          <HolidayPage />
        </SearchProvider>
      )}
      <ReloadOffer />
      {settings.webPushKey !== null && <EndedSubscription />}
      <SiteFooter config={settings} />
    </>
  );
}
