import { type Airport, airportName } from '../../domain/airport.ts';
import { boardBasisWords } from '../../domain/board-basis.ts';
import { parseCalendarDate } from '../../domain/calendar-date.ts';
import { formatLongDate, weekdayName } from '../../domain/day-words.ts';
import { formatFlightDuration } from '../../domain/duration.ts';
import { departureDay, type PackageHoliday } from '../../domain/package-holiday.ts';

/** Dates, board, airport and flight (Section 2), as far as they are known. */
export function HolidayFacts({
  holiday,
  airports,
}: {
  holiday: PackageHoliday;
  airports: readonly Airport[];
}) {
  const { AirlineName, DepartureAirportCode, FlightDuration } = holiday.FlightDetails.Outbound;
  const date = parseCalendarDate(departureDay(holiday));
  const nights = `${holiday.Duration} ${holiday.Duration === 1 ? 'night' : 'nights'}`;
  const flight = [AirlineName, FlightDuration ? formatFlightDuration(FlightDuration) : null];
  return (
    <dl className="holiday-details">
      <Fact term="Dates" parts={[date && `${weekdayName(date)} ${formatLongDate(date)}`, nights]} />
      <Fact term="Board" parts={[boardBasisWords(holiday.BoardBasis)]} />
      <Fact term="From" parts={[airportName(airports, DepartureAirportCode)]} />
      <Fact term="Flight" parts={flight} />
    </dl>
  );
}

function Fact({ term, parts }: { term: string; parts: readonly (string | null)[] }) {
  const known = parts.filter((part) => part !== null && part !== '');
  if (known.length === 0) return null;
  return (
    <div className="holiday-detail">
      <dt>{term}</dt>
      <dd>
        {known.map((part) => (
          <span key={part} className="holiday-fact">
            {part}
          </span>
        ))}
      </dd>
    </div>
  );
}
