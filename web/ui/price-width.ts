/** The width of a bold tabular digit or the pound sign. */
const DIGIT_EMS = 0.63;
const COMMA_EMS = 0.29;

/** The approximate width of a price such as '£1,235' in ems, rounded up. */
export function widthInEms(price: string): number {
  const commas = price.split(',').length - 1;
  return (price.length - commas) * DIGIT_EMS + commas * COMMA_EMS;
}
