import { priceNote } from '../../domain/charge-words.ts';
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
  onVisit(): void;
  /** Opens the alert form; undefined if the site offers no alerts. */
  onWatch: ((holiday: PackageHoliday) => void) | undefined;
}

/** The price, the provider and the links (Section 2). */
export function HolidayOffer({ holiday, provider, onNear, onVisit, onWatch }: HolidayOfferProps) {
  const each = priceEach(holiday.PriceDetails);
  const total = formatPounds(holiday.PriceDetails.TotalPrice);
  const party = `for ${partyWords(partyOf(holiday))}`;
  const isSoldOut = holiday.Availability === 'sold out';
  const note = priceNote(holiday);
  return (
    <div className="holiday-offer">
      <p className="holiday-price">
        <strong>{isSoldOut ? 'Sold out' : total}</strong>
        <span>{isSoldOut ? `was ${total}` : note === null ? `total ${party}` : party}</span>
        <span>{isSoldOut ? party : `${formatPounds(each.pounds)} per ${each.unit}`}</span>
        {note !== null && <span className="holiday-price-note">{note}</span>}
      </p>
      <LocalCharges holiday={holiday} provider={provider?.name ?? holiday.Brand} />
      {holiday.DeeplinkUrl !== '' && (
        <a
          className="button-action"
          href={holiday.DeeplinkUrl}
          target="_blank"
          rel="noopener noreferrer"
          // A tap also enters and focuses the link, but then it is too late to ask.
          onPointerEnter={({ pointerType }) => pointerType !== 'touch' && onNear()}
          onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && onNear()}
          onClick={onVisit}
        >
          <span>Visit site</span>
          <span className="visually-hidden">
            {` of ${holiday.HotelDetails.HotelName}, opens in a new tab`}
          </span>
        </a>
      )}
      {isSoldOut && (
        <button type="button" className="button-action" disabled>
          Gone
        </button>
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
