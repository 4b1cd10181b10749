/** The number formats that a mapping may declare, shown with one number. */
export const NUMBER_FORMS = ['1234.56', '1,234.56', '1234,56', '1.234,56', '1 234,56'] as const;

export type NumberForm = (typeof NUMBER_FORMS)[number];

const READ: Readonly<Record<NumberForm, { form: RegExp; thousands: string; decimal: string }>> = {
  '1234.56': { form: /^-?\d+(?:\.\d+)?$/, thousands: '', decimal: '.' },
  '1,234.56': { form: /^-?\d{1,3}(?:,\d{3})*(?:\.\d+)?$/, thousands: ',', decimal: '.' },
  '1234,56': { form: /^-?\d+(?:,\d+)?$/, thousands: '', decimal: ',' },
  '1.234,56': { form: /^-?\d{1,3}(?:\.\d{3})*(?:,\d+)?$/, thousands: '.', decimal: ',' },
  '1 234,56': { form: /^-?\d{1,3}(?:[ \u00A0\u202F]\d{3})*(?:,\d+)?$/, thousands: ' ', decimal: ',' },
};

/** Converts a number from the declared format to digits with a decimal point; null if it has another format. */
export function readNumberForm(text: string, form: NumberForm): string | null {
  const { form: expression, thousands, decimal } = READ[form];
  const trimmed = text.trim();
  if (!expression.test(trimmed)) return null;
  const plain = thousands === ' ' ? trimmed.replace(/\s/g, '') : trimmed.replaceAll(thousands, '');
  return plain.replace(decimal, '.');
}
