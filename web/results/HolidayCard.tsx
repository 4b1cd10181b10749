import { memo, useId, useRef } from 'react';
import type { Airport } from '../../domain/airport.ts';
import { placeName } from '../../domain/destination.ts';
import { aboutDistance } from '../../domain/distance-words.ts';
import type { PackageHoliday } from '../../domain/package-holiday.ts';
import type { ProviderDetails } from '../config/page-config.ts';
import { SaveButton } from '../shortlist/SaveButton.tsx';
import { HolidayFacts } from './HolidayFacts.tsx';
import { HolidayMore } from './HolidayMore.tsx';
import { HolidayOffer } from './HolidayOffer.tsx';
import { HotelImage } from './HotelImage.tsx';
import { hotelLink } from './hotel-link.ts';
import { StarRating } from './StarRating.tsx';
import { atCheckedPrice, type CheckedPrice, usePriceCheck } from './use-price-check.ts';

interface HolidayCardProps {
  holiday: PackageHoliday;
  airports: readonly Airport[];
  provider: ProviderDetails | undefined;
  /** The URL of the drawing to show if there is no photo. */
  drawing: string;
  /** The host of photos; '' is the page's. */
  photoOrigin: string;
  /** The provider's response since the search; undefined: none. */
  answer: CheckedPrice | undefined;
  onChecked(holiday: PackageHoliday, price: CheckedPrice): void;
  onVisit(holiday: PackageHoliday): void;
  /** Undefined if the site offers no price alerts. */
  onWatch: ((holiday: PackageHoliday) => void) | undefined;
  /** Undefined if the server offers no price history. */
  onHistory: ((holiday: PackageHoliday) => void) | undefined;
  /** Whether the server can find a saved package later. */
  canSave: boolean;
  /** Whether the hotel has a page, which then has what the card leaves out. */
  hasPage: boolean;
}

/** One package holiday (Section 2). */
export const HolidayCard = memo(function HolidayCard(props: HolidayCardProps) {
  const { holiday: found, airports, provider, drawing, photoOrigin, answer, canSave, hasPage } = props;
  const { onChecked, onVisit, onWatch, onHistory } = props;
  const holiday = answer === undefined ? found : atCheckedPrice(found, answer);
  const { ConsumerRating, HotelImages, HotelName, SeaDistance, StarRating: stars } = holiday.HotelDetails;
  const seller = provider?.name ?? holiday.Brand;
  const nameId = useId();
  const pounds = Math.round(holiday.PriceDetails.TotalPrice);
  const card = useRef<HTMLElement>(null);
  const [checked, checkPrice] = usePriceCheck(found, provider?.priceCheckUrl ?? null, card, onChecked);
  const { HolidayCountry, HolidayRegion, HolidayResort } = holiday;
  const href = hasPage ? hotelLink(holiday, location.search) : undefined;
  return (
    <article
      ref={card}
      className={hasPage ? 'holiday-card is-brief' : 'holiday-card'}
      aria-labelledby={nameId}
    >
      <HotelImage images={HotelImages} drawing={drawing} origin={photoOrigin} />
      {canSave && <SaveButton holiday={{ itemKey: holiday.ItemKey, pounds, name: HotelName }} href={href} />}
      <div className="holiday-facts">
        <div className="holiday-name">
          <h3 id={nameId}>{href === undefined ? HotelName : <a href={href}>{HotelName}</a>}</h3>
          <StarRating stars={stars} />
        </div>
        <p className="holiday-location">{placeName([HolidayCountry, HolidayRegion, HolidayResort])}</p>
        {/* The provider is the source of the rating. Some servers rate out of 100. */}
        <p className="holiday-rating">
          {ConsumerRating !== null && (
            <span>
              {`Guests: ${ConsumerRating}/${ConsumerRating > 10 ? 100 : 10}`}
              {seller !== '' && <span className="holiday-rating-source">{` (${seller})`}</span>}
            </span>
          )}
          {SeaDistance !== null && SeaDistance < 1 && (
            <span>{`Sea: ${aboutDistance(SeaDistance).toLowerCase()}`}</span>
          )}
        </p>
        <HolidayFacts holiday={holiday} airports={airports} hasPage={hasPage} />
      </div>
      <HolidayOffer
        holiday={holiday}
        provider={provider}
        hasPage={hasPage}
        checked={checked}
        onNear={checkPrice}
        onVisit={() => onVisit(found)}
        onWatch={onWatch}
      />
      {!hasPage && <HolidayMore holiday={holiday} onHistory={onHistory} />}
      {/* The price-analysis widget mounts here (Section 1). Its evidence is on the hotel's page, if there is one. */}
      <div
        className="price-analysis"
        data-price-analysis={holiday.ItemKey}
        data-price-analysis-brief={hasPage || undefined}
      />
    </article>
  );
});
