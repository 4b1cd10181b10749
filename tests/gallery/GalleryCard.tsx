import { useEffect, useRef } from 'react';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import { ANY_PLACE_PICTURE } from '../../domain/place-picture.ts';
import type { PriceAnalysisResponse } from '../../domain/price-analysis-response.ts';
import { HolidayCard } from '../../web/results/HolidayCard.tsx';
import { colourSchemeBehind } from '../../widget/colour-scheme.ts';
import { paintAnalysis } from '../../widget/paint-analysis.ts';
import { widgetStyle } from '../../widget/style.ts';
import { GallerySearch } from './GallerySearch.tsx';
import { AIRPORTS, CONFIG } from './gallery-data.ts';
import '../../web/price-analysis/price-analysis.css';
import '../../web/results/holiday-card.css';
import '../../web/results/results.css';

interface GalleryCardProps {
  holiday: PackageHoliday;
  /** Null: the widget has not painted yet. */
  analysis?: PriceAnalysisResponse | null;
  offersAlerts?: boolean;
}

/** A card with a price analysis, painted where the widget paints it. */
export function GalleryCard({ holiday, analysis = null, offersAlerts = true }: GalleryCardProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const placeholder = list.current?.querySelector('[data-price-analysis]');
    if (!placeholder || analysis === null) return;
    const root = placeholder.shadowRoot ?? placeholder.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [widgetStyle().sheet];
    const hotel = holiday.HotelDetails.HotelName;
    const element = paintAnalysis(analysis, {
      hotel,
      shownPrice: analysis.price,
      availability: null,
      isInControl: false,
    });
    element.classList.add(colourSchemeBehind(placeholder));
    root.replaceChildren(element);
  }, [analysis, holiday]);
  return (
    <GallerySearch state={{}}>
      <ol className="results-list" ref={list}>
        <li>
          <HolidayCard
            holiday={holiday}
            airports={AIRPORTS}
            drawing={ANY_PLACE_PICTURE}
            photoOrigin=""
            provider={CONFIG.providers[holiday.Brand]}
            answer={undefined}
            onChecked={() => {}}
            onVisit={() => {}}
            onWatch={offersAlerts ? () => {} : undefined}
            onHistory={offersAlerts ? () => {} : undefined}
            canSave={false}
            hasPage={true}
          />
        </li>
      </ol>
    </GallerySearch>
  );
}
