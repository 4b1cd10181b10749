import { priceNote } from '../../domain/charge-words.ts';
import { formatPounds } from '../../domain/money.ts';
import { type PackageHoliday, partyOf } from '../../domain/package-holiday.ts';
import { partyWords } from '../../domain/party.ts';
import { priceEach } from '../../domain/price-each.ts';
import { PriceAlertsButton } from '../alerts/PriceAlerts.tsx';
import type { ProviderDetails } from '../config/page-config.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { LocalCharges } from './LocalCharges.tsx';
import { priceLastSeen } from './price-last-seen.ts';
import type { CheckedWords } from './use-price-check.ts';

const MAX_OTHERS = 2;

interface HolidayOfferProps {
  holiday: PackageHoliday;
  /** Undefined if the configuration does not name the provider; its code is shown instead. */
  provider: ProviderDetails | undefined;
  /** Whether the parts of the charges are on the hotel's page instead. */
  hasPage: boolean;
  /** If it has words, they replace those about when the price was last seen. */
  checked: CheckedWords;
  /** Called when the visitor is about to use the link. */
  onNear(): void;
  /** Called when the visitor opens the provider's site. */
  onVisit(): void;
  /** Opens the alert form; undefined if the site offers no alerts. */
  onWatch: ((holiday: PackageHoliday) => void) | undefined;
}

/** The price, the provider and the links (Section 2). */
export function HolidayOffer(props: HolidayOfferProps) {
  const { holiday, provider, hasPage, checked, onNear, onVisit, onWatch } = props;
  const each = priceEach(holiday.PriceDetails);
  const total = formatPounds(holiday.PriceDetails.TotalPrice);
  const party = `for ${partyWords(partyOf(holiday))}`;
  const isSoldOut = holiday.Availability === 'sold out';
  const note = priceNote(holiday);
  const seller = provider?.name ?? holiday.Brand;
  return (
    <div className="holiday-offer">
      <p className="holiday-price">
        <strong>{isSoldOut ? 'Sold out' : total}</strong>
        <span>{isSoldOut ? `was ${total}` : note === null ? `total ${party}` : party}</span>
        <span>{isSoldOut ? party : `${formatPounds(each.pounds)} per ${each.unit}`}</span>
        {note !== null && <span className="holiday-price-note">{note}</span>}
      </p>
      <LocalCharges holiday={holiday} provider={seller} hasPage={hasPage} />
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
      <div className="holiday-source">
        <Provider name={seller} details={provider} />
        <OtherProviders holiday={holiday} />
        <Seen at={holiday.LastSeen} checked={checked} />
      </div>
    </div>
  );
}

/** When the price was last seen, or what the provider says now. */
function Seen({ at, checked: { words, isAnnounced } }: { at: string | null; checked: CheckedWords }) {
  const seen = words || priceLastSeen(at);
  if (seen === null && !isAnnounced) return null;
  return (
    <p
      className={words ? 'holiday-seen is-checked' : 'holiday-seen'}
      role={isAnnounced ? 'status' : undefined}
    >
      {seen}
    </p>
  );
}

/** 'Also with Seaward Travel £1,012': the hotel's other providers, the lowest price first. */
function OtherProviders({ holiday: { OtherProviders: others = [] } }: { holiday: PackageHoliday }) {
  const { state, config } = useSearchContext();
  if (others.length === 0) return null;
  // Another trip may leave on another day.
  const from = state.flexibility.days === 0 && state.flexibility.maxNights === null ? '' : 'from ';
  const prices = others
    .slice(0, MAX_OTHERS)
    .map(
      ({ Brand, TotalPrice }) =>
        `${config.providers[Brand]?.name ?? Brand} ${from}${formatPounds(TotalPrice)}`,
    );
  return <p className="holiday-seen is-others">{`Also with ${prices.join(', ')}`}</p>;
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
