import type { DropdownProps } from 'react-day-picker';

/** The calendar's choice of month or year: the device's own select, as on the rest of the page. */
export function CalendarDropdown({ options, ...select }: DropdownProps) {
  return (
    <select {...select} className="calendar-dropdown">
      {options?.map(({ value, label, disabled }) => (
        <option key={value} value={value} disabled={disabled}>
          {label}
        </option>
      ))}
    </select>
  );
}
