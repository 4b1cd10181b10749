/** Tabular digits and the pound sign of the typeface, bold. */
const DIGIT_EMS = 0.63;
const COMMA_EMS = 0.29;

/** About the width of a price such as '£1,235' in ems, a little more rather than less. */
export function widthInEms(price: string): number {
  const commas = price.split(',').length - 1;
  return (price.length - commas) * DIGIT_EMS + commas * COMMA_EMS;
}
