import { formatBriefWeekday } from '../../domain/day-words.ts';
import { formatFlightDuration } from '../../domain/duration.ts';
import { legTimes } from '../../domain/holiday-words.ts';
import { type FlightLeg, type PackageHoliday, partyOf } from '../../domain/package-holiday.ts';
import { partyWords } from '../../domain/party.ts';
import { PriceHistoryButton } from '../price-history/PriceHistory.tsx';
import { FactList } from './FactList.tsx';

interface HolidayMoreProps {
  holiday: PackageHoliday;
  /** Undefined if the server offers no price history. */
  onHistory: ((holiday: PackageHoliday) => void) | undefined;
}

/** Both flights and the room, opened on demand, and the price history. */
export function HolidayMore({ holiday, onHistory }: HolidayMoreProps) {
  const { FlightDetails, HotelDetails, RoomTypeDescription } = holiday;
  return (
    <div className="holiday-more">
      <details>
        <summary>
          <span>Flights and room</span>
          <span className="visually-hidden">{` of ${HotelDetails.HotelName}`}</span>
        </summary>
        <FactList
          facts={[
            { term: 'Out', parts: legParts(FlightDetails.Outbound) },
            { term: 'Back', parts: legParts(FlightDetails.Inbound) },
            { term: 'Room', parts: [RoomTypeDescription, `1 room for ${partyWords(partyOf(holiday))}`] },
          ]}
        />
      </details>
      {onHistory && (
        <PriceHistoryButton hotelName={HotelDetails.HotelName} onOpen={() => onHistory(holiday)} />
      )}
    </div>
  );
}

function legParts(leg: FlightLeg) {
  const { DepartureAirportCode, ArrivalAirportCode, DepartureDateTime, FlightDuration } = leg;
  return [
    DepartureDateTime && formatBriefWeekday(DepartureDateTime.slice(0, 10)),
    [DepartureAirportCode, ArrivalAirportCode].filter(Boolean).join(' to '),
    legTimes(leg),
    `${leg.AirlineName} ${leg.FlightNumber}`.trim(),
    FlightDuration && formatFlightDuration(FlightDuration),
  ];
}
