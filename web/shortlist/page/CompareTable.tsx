import type { ReactNode } from 'react';
import { airportName } from '../../../domain/airport.ts';
import { boardBasisWords } from '../../../domain/board-basis.ts';
import { areChargesExact, chargeLine, priceNote } from '../../../domain/charge-words.ts';
import { formatSpokenDate } from '../../../domain/day-words.ts';
import { placeName } from '../../../domain/destination.ts';
import { formatFlightDuration } from '../../../domain/duration.ts';
import { bagWords, legTimes } from '../../../domain/holiday-words.ts';
import { formatPounds } from '../../../domain/money.ts';
import {
  departureDay,
  type FlightLeg,
  type PackageHoliday,
  partyOf,
  placePictureOf,
  shownPrice,
} from '../../../domain/package-holiday.ts';
import { partyWords } from '../../../domain/party.ts';
import { partyParameters } from '../../../domain/party-parameters.ts';
import { sendBeacon } from '../../data/request.ts';
import { HotelImage } from '../../results/HotelImage.tsx';
import { hotelLink } from '../../results/hotel-link.ts';
import { StarRating } from '../../results/StarRating.tsx';
import { useSearchContext } from '../../search/search-context.tsx';
import { PageLink } from '../../ui/PageLink.tsx';
import { SaveButton } from '../SaveButton.tsx';
import type { Compared } from './fetch-saved.ts';

/** Saved holidays in columns, with what has changed since each was saved. */
export function CompareTable({ compared }: { compared: readonly Compared[] }) {
  const { state, config } = useSearchContext();
  const airports = state.airports.status === 'stored' ? state.airports.value : [];
  const [photoOrigin = ''] = /^https?:..[^/]+/.exec(config.searchEndpoint) ?? [];
  const providerOf = ({ Brand }: PackageHoliday) => config.providers[Brand]?.name ?? Brand;
  const rows: [name: string, of: (holiday: PackageHoliday, compared: Compared) => ReactNode][] = [
    [
      'Price',
      (holiday, { pounds }) => (
        <>
          <Price now={holiday.PriceDetails.TotalPrice} saved={pounds} />
          {lines(priceNote(holiday), uncertainCharges(holiday, providerOf(holiday)))}
        </>
      ),
    ],
    ['Verdict', (_, { verdict }) => verdict],
    [
      'Place',
      ({ HolidayCountry, HolidayRegion, HolidayResort }) =>
        placeName([HolidayCountry, HolidayRegion, HolidayResort]),
    ],
    [
      'Dates',
      (holiday) =>
        lines(
          formatSpokenDate(departureDay(holiday)),
          `${holiday.Duration} nights`,
          partyWords(partyOf(holiday)),
        ),
    ],
    [
      'Flights',
      ({ FlightDetails: { Outbound, Inbound } }) =>
        lines(
          airportName(airports, Outbound.DepartureAirportCode),
          Outbound.AirlineName,
          Outbound.FlightDuration === null ? null : formatFlightDuration(Outbound.FlightDuration),
          timesOf('Out', Outbound),
          timesOf('Back', Inbound),
        ),
    ],
    ['Bags', ({ Bags }) => bagWords(Bags)],
    ['Board', ({ BoardBasis }) => boardBasisWords(BoardBasis)],
    ['Room', ({ RoomTypeDescription }) => RoomTypeDescription || null],
    ['Stars', ({ HotelDetails }) => <StarRating stars={HotelDetails.StarRating} />],
    [
      'Guests',
      ({ HotelDetails: { ConsumerRating: rating } }) => rating && `${rating}/${rating > 10 ? 100 : 10}`,
    ],
    [
      'Book with',
      (holiday) => (
        <>
          {lines(providerOf(holiday))}
          {holiday.DeeplinkUrl !== '' && (
            <a
              className="button-action"
              href={holiday.DeeplinkUrl}
              target="_blank"
              rel="noopener noreferrer"
              onClick={() =>
                config.visitsEndpoint !== null && sendBeacon(config.visitsEndpoint, shownPrice(holiday))
              }
            >
              Visit site
              <span className="visually-hidden">{` of ${holiday.HotelDetails.HotelName}, opens in a new tab`}</span>
            </a>
          )}
        </>
      ),
    ],
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the keyboard.
    <section className="compare" aria-label="Comparison" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Hotel</th>
            {compared.map(({ itemKey, pounds, name, holiday }) => {
              const total = holiday?.PriceDetails.TotalPrice ?? pounds;
              const href =
                holiday !== null && config.hotelPages ? hotelLink(holiday, queryOf(holiday)) : undefined;
              return (
                <th key={itemKey} scope="col">
                  {holiday !== null && (
                    <HotelImage
                      images={holiday.HotelDetails.HotelImages.slice(0, 1)}
                      drawing={placePictureOf(holiday, holiday.HotelDetails)}
                      origin={photoOrigin}
                    />
                  )}
                  {holiday === null ? (
                    (name ?? 'A holiday that’s gone')
                  ) : href === undefined ? (
                    <PageLink href={`/results?${queryOf(holiday)}`}>{name}</PageLink>
                  ) : (
                    <a href={href}>{name}</a>
                  )}
                  {name !== null && total !== null && (
                    <SaveButton holiday={{ itemKey, name, pounds: Math.round(total) }} href={href} />
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, of], nth) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {compared.map((each) => (
                <td key={each.itemKey}>
                  {each.holiday !== null
                    ? (of(each.holiday, each) ?? 'Not known')
                    : nth === 0
                      ? soldOutWords(each.pounds)
                      : '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function soldOutWords(pounds: number | null): string {
  return pounds === null ? 'Sold out' : `Sold out. It was ${formatPounds(pounds)}`;
}

function Price({ now, saved }: { now: number; saved: number | null }) {
  const change = saved === null ? 0 : Math.round(now) - saved;
  const words = `now ${formatPounds(Math.abs(change))} ${change < 0 ? 'less' : 'more'}`;
  return (
    <>
      <b>{formatPounds(now)}</b>
      {change !== 0 && <span className={change < 0 ? 'is-less' : 'is-more'}>{words}</span>}
    </>
  );
}

/** How charges are set that the note does not say. */
function uncertainCharges(holiday: PackageHoliday, provider: string): string | null {
  const { LocalCharges: charges } = holiday;
  return charges === undefined || areChargesExact(charges) ? null : chargeLine(holiday, provider);
}

function lines(...words: readonly (string | null)[]): ReactNode {
  return words.map((line) => line && <span key={line}>{line}</span>);
}

function timesOf(way: string, leg: FlightLeg): string | null {
  const times = legTimes(leg);
  return times && `${way} ${times}`;
}

/** The search for the hotel's packages on the same dates. The results mark this package. */
function queryOf(holiday: PackageHoliday): string {
  const { HolidayCountry, HolidayRegion, HolidayResort, Duration, FlightDetails, HotelDetails } = holiday;
  const parameters = new URLSearchParams({
    country: HolidayCountry,
    region: HolidayRegion,
    resort: HolidayResort,
    from: FlightDetails.Outbound.DepartureAirportCode,
    date: departureDay(holiday),
    nights: String(Duration),
    ...Object.fromEntries(partyParameters(partyOf(holiday))),
    hotelcode: HotelDetails.HotelIdentifierCode,
    holiday: holiday.ItemKey,
  });
  return parameters.toString().replaceAll('%3A', ':');
}
