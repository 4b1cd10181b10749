import { memo, useId } from 'react';
import type { Airport } from '../../domain/airport.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import type { ProviderDetails } from '../config/page-config.ts';
import { PriceHistoryButton } from '../price-history/PriceHistory.tsx';
import { HolidayFacts } from './HolidayFacts.tsx';
import { HolidayOffer } from './HolidayOffer.tsx';
import { HotelImage } from './HotelImage.tsx';
import { priceLastSeen } from './price-last-seen.ts';
import { StarRating } from './StarRating.tsx';

interface HolidayCardProps {
  holiday: PackageHoliday;
  airports: readonly Airport[];
  provider: ProviderDetails | undefined;
  onVisit(holiday: PackageHoliday): void;
  /** Undefined if the site offers no price alerts. */
  onWatch: ((holiday: PackageHoliday) => void) | undefined;
  /** Undefined if the server offers no price history. */
  onHistory: ((holiday: PackageHoliday) => void) | undefined;
}

/** One package holiday (Section 2). */
export const HolidayCard = memo(function HolidayCard({
  holiday,
  airports,
  provider,
  onVisit,
  onWatch,
  onHistory,
}: HolidayCardProps) {
  const { HotelImages, HotelName, StarRating: stars } = holiday.HotelDetails;
  const nameId = useId();
  const seen = priceLastSeen(holiday.LastSeen);
  const location = [holiday.HolidayResort, holiday.HolidayRegion, holiday.HolidayCountry];
  return (
    <article className="holiday-card" aria-labelledby={nameId}>
      <HotelImage images={HotelImages} />
      <div className="holiday-facts">
        <div className="holiday-name">
          <h3 id={nameId}>{HotelName}</h3>
          <StarRating stars={stars} />
        </div>
        <p className="holiday-location">{location.filter((name) => name !== '').join(', ')}</p>
        <HolidayFacts holiday={holiday} airports={airports} />
        {(seen !== null || onHistory !== undefined) && (
          <p className="holiday-seen">
            {seen !== null && <span>{`${seen} `}</span>}
            {onHistory && <PriceHistoryButton hotelName={HotelName} onOpen={() => onHistory(holiday)} />}
          </p>
        )}
      </div>
      <HolidayOffer holiday={holiday} provider={provider} onVisit={onVisit} onWatch={onWatch} />
      {/* The price-analysis widget mounts here (Section 1). */}
      <div className="price-analysis" data-price-analysis={holiday.ItemKey} />
    </article>
  );
});
