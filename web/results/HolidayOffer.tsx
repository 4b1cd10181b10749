import { formatPounds } from '../../domain/money.ts';
import { type PackageHoliday, partyOf } from '../../domain/package-holiday.ts';
import { partyWords } from '../../domain/party.ts';
import { priceEach } from '../../domain/price-each.ts';
import { PriceAlertsButton } from '../alerts/PriceAlerts.tsx';
import type { ProviderDetails } from '../config/page-config.ts';
import { LocalCharges } from './LocalCharges.tsx';

interface HolidayOfferProps {
  holiday: PackageHoliday;
  /** Undefined if the configuration does not name the provider; its code is shown instead. */
  provider: ProviderDetails | undefined;
  /** Called when the visitor is about to use the link. */
  onNear(): void;
  /** Called when the visitor opens the provider's site. */
  onVisit(holiday: PackageHoliday): void;
  /** Opens the alert form; undefined if the site offers no alerts. */
  onWatch: ((holiday: PackageHoliday) => void) | undefined;
}

/** The price, the provider and the links (Section 2). */
export function HolidayOffer({ holiday, provider, onNear, onVisit, onWatch }: HolidayOfferProps) {
  const each = priceEach(holiday.PriceDetails);
  return (
    <div className="holiday-offer">
      <p className="holiday-price">
        <strong>{formatPounds(holiday.PriceDetails.TotalPrice)}</strong>
        <span>{`total for ${partyWords(partyOf(holiday))}`}</span>
        <span>{`${formatPounds(each.pounds)} per ${each.unit}`}</span>
      </p>
      <LocalCharges charges={holiday.LocalCharges} provider={provider?.name ?? holiday.Brand} />
      {holiday.DeeplinkUrl !== '' && (
        <a
          className="button-action"
          href={holiday.DeeplinkUrl}
          target="_blank"
          rel="noopener noreferrer"
          onPointerEnter={onNear}
          onPointerDown={onNear}
          onFocus={onNear}
          onClick={() => onVisit(holiday)}
        >
          <span>Visit site</span>
          <span className="visually-hidden">
            {` of ${holiday.HotelDetails.HotelName}, opens in a new tab`}
          </span>
        </a>
      )}
      {onWatch !== undefined && (
        <PriceAlertsButton hotelName={holiday.HotelDetails.HotelName} onOpen={() => onWatch(holiday)} />
      )}
      <Provider name={provider?.name ?? holiday.Brand} details={provider} />
    </div>
  );
}

function Provider({ name, details }: { name: string; details: ProviderDetails | undefined }) {
  if (name === '') return null;
  const { logoUrl = null, atol = null, oftenDearer = false } = details ?? {};
  return (
    <p className="holiday-provider">
      <span>
        <span>You book with </span>
        {logoUrl === null ? (
          <b>{name}</b>
        ) : (
          <img className="holiday-provider-logo" src={logoUrl} alt={name} height={28} loading="lazy" />
        )}
      </span>
      {atol !== null && <span>{`ATOL ${atol}`}</span>}
      {oftenDearer && <span>Often dearer on their site than here</span>}
    </p>
  );
}
