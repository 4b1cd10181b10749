/** A sign-up as the page posts it, with more of the package than is read. */
export function signUpBody(phone: string, itemKey: string): object {
  return {
    user: { platform: 'whatsapp', channel: 'skylark', channel_id: phone },
    intentName: 'alertSignup',
    intent: {
      packageHoliday: { ItemKey: itemKey, HolidayResort: 'Elsewhere', PriceDetails: { TotalPrice: 1 } },
    },
  };
}
