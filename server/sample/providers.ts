/** An invented provider. Its links use `.example`, which RFC 2606 reserves. */
export interface SampleProvider {
  id: number;
  code: string;
  name: string;
  linkTemplate: string;
  /** The provider's price level relative to the market. */
  margin: number;
  /** The pence that the provider's prices end in. */
  ending: number;
}

export const SAMPLE_PROVIDERS: readonly SampleProvider[] = [
  provider(
    1,
    'SUNW',
    'Sunward',
    'https://www.sunward.example/holidays/{hotel}?from={airport}&on={date}&nights={nights}&board={board}&adults={adults}&children={children}',
    1,
    0,
  ),
  provider(
    2,
    'TIDE',
    'Tideline Holidays',
    'https://tideline.example/book/{hotel}/{date}/{nights}?airport={airport}&board={board}&adults={adults}&children={children}',
    0.98,
    99,
  ),
  provider(
    3,
    'MERI',
    'Meridian Breaks',
    'https://www.meridianbreaks.example/p/{hotel}?d={date}&n={nights}&ap={airport}&bb={board}&adults={adults}&children={children}',
    1.025,
    0,
  ),
  provider(
    4,
    'KEST',
    'Kestrel Travel',
    'https://kestreltravel.example/stay?hotel={hotel}&dep={airport}&date={date}&nights={nights}&board={board}&adults={adults}&children={children}',
    0.99,
    50,
  ),
  provider(
    5,
    'LARK',
    'Larkrise',
    'https://www.larkrise.example/{hotel}/{board}?depart={date}&from={airport}&nights={nights}&adults={adults}&children={children}',
    1.04,
    0,
  ),
];

function provider(
  id: number,
  code: string,
  name: string,
  linkTemplate: string,
  margin: number,
  ending: number,
): SampleProvider {
  return { id, code, name, linkTemplate, margin, ending };
}
