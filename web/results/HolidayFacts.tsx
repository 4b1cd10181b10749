import { type Airport, airportName } from '../../domain/airport.ts';
import { boardBasisWords } from '../../domain/board-basis.ts';
import { parseCalendarDate } from '../../domain/calendar-date.ts';
import { formatLongDate, weekdayName } from '../../domain/day-words.ts';
import { formatFlightDuration } from '../../domain/duration.ts';
import { bagWords, legTimes } from '../../domain/holiday-words.ts';
import { departureDay, type PackageHoliday } from '../../domain/package-holiday.ts';
import { FactList } from './FactList.tsx';

interface HolidayFactsProps {
  holiday: PackageHoliday;
  airports: readonly Airport[];
  /** Whether the room is on the hotel's page instead. */
  hasPage: boolean;
}

/** Dates, board, airport and flight (Section 2); room, bags and times in quiet type. Leaves out unknown facts. */
export function HolidayFacts({ holiday, airports, hasPage }: HolidayFactsProps) {
  const { Outbound, Inbound } = holiday.FlightDetails;
  const { AirlineName, DepartureAirportCode, FlightDuration } = Outbound;
  const date = parseCalendarDate(departureDay(holiday));
  const nights = `${holiday.Duration} ${holiday.Duration === 1 ? 'night' : 'nights'}`;
  const [out, back] = [legTimes(Outbound), legTimes(Inbound)];
  return (
    <FactList
      facts={[
        { term: 'Dates', parts: [date && `${weekdayName(date)} ${formatLongDate(date)}`, nights] },
        {
          term: 'Board',
          parts: [boardBasisWords(holiday.BoardBasis)],
          quiet: [
            bagWords(holiday.Bags),
            holiday.FreeChild && 'Free child place',
            !hasPage && holiday.RoomTypeDescription,
          ],
          isOneLine: true,
        },
        {
          term: 'Flight',
          parts: [
            airportName(airports, DepartureAirportCode),
            AirlineName,
            FlightDuration && formatFlightDuration(FlightDuration),
          ],
        },
        { term: 'Times', parts: [], quiet: [out && `Out ${out}`, back && `Back ${back}`] },
      ]}
    />
  );
}
