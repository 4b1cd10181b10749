import { useSearchContext } from '../search/search-context.tsx';
import { ExploreForm } from './ExploreForm.tsx';
import { ExploreResults } from './ExploreResults.tsx';

/** The form and the prices, once the settings are loaded. */
export function ExploreContent() {
  const { config, hasSettings } = useSearchContext();
  if (!hasSettings) return <p role="status">Loading...</p>;
  return (
    <>
      <div className="explore-hero">
        <p className="explore-words">
          Anywhere, any time: the lowest price for each place, flight and hotel included.
        </p>
        {config.explore && <ExploreForm />}
        {config.sampleInventory && (
          <p className="explore-sample">Sample holidays: these hotels, providers and prices are made up</p>
        )}
      </div>
      <ExploreResults />
    </>
  );
}
