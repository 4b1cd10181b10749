const PARTS = /(YYYY|MM|DD|HH|mm|ss)/;

const ISO_PLACES = ['YYYY', 'MM', 'DD', 'HH', 'mm', 'ss'] as const;

/**
 * Converts dates from a declared format, such as `DD/MM/YYYY` or `DD.MM.YYYY HH:mm`, to ISO 8601 without an
 * offset. Null if the text has another format. Does not check whether the day exists.
 */
export function dateReader(form: string): (text: string) => string | null {
  const parts = form.split(PARTS);
  const names = parts.filter((_, index) => index % 2 === 1);
  const wanted = parts
    .map((part, index) => (index % 2 === 1 ? `(\\d{${part.length}})` : escaped(part)))
    .join('');
  const expression = new RegExp(`^${wanted}$`);
  return (text) => {
    const found = expression.exec(text.trim());
    if (found === null) return null;
    const part = (name: string) => found[names.indexOf(name) + 1] ?? '';
    const [year, month, day, hour, minute, second] = ISO_PLACES.map((name) =>
      names.includes(name) ? part(name) : '',
    );
    const time = hour === '' ? '' : `T${hour}:${minute || '00'}:${second || '00'}`;
    return `${year}-${month}-${day}${time}`;
  };
}

/** Whether a format has one year, month and day; minutes need hours, and seconds need minutes. */
export function isDateForm(form: string): boolean {
  const names = form.split(PARTS).filter((_, index) => index % 2 === 1);
  const has = (name: string) => names.includes(name);
  const isOnce = new Set(names).size === names.length;
  return (
    isOnce &&
    has('YYYY') &&
    has('MM') &&
    has('DD') &&
    (has('HH') || (!has('mm') && !has('ss'))) &&
    (has('mm') || !has('ss'))
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
