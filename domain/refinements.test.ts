import { expect, test } from 'vitest';
import { parseRefine, toRefinements, withRefine } from './refinements.ts';

const read = (query: string) => {
  const parameters = new URLSearchParams(query);
  return parseRefine((key) => parameters.getAll(key));
};

test('reads every filter of a URL, and sends it as the API names it', () => {
  const { refine, unread } = read(
    'price=300-900&boards=AI&boards=HB&minstars=3.5&rating=8&out=06:00-11:59&back=22:00-05:59&airports=LGW' +
      '&airlines=Air, Ltd&providers=SEA&bags=1&freechild=1&hotelcode=BEN23&hotel=Miramar',
  );
  expect(unread).toBeNull();
  expect(toRefinements(refine)).toEqual({
    priceFrom: 300,
    priceTo: 900,
    boards: ['AI', 'HB'],
    minStars: 3.5,
    minGuestRating: 8,
    outboundFrom: '06:00',
    outboundTo: '11:59',
    inboundFrom: '22:00',
    inboundTo: '05:59',
    airports: ['LGW'],
    airlines: ['Air, Ltd'],
    providers: ['SEA'],
    bags: true,
    freeChild: true,
    hotelCode: 'BEN23',
    hotelName: 'Miramar',
  });
});

test('leaves out blank and invalid filters, and returns the first invalid text', () => {
  expect(read('price=cheap&boards=&minstars=9&rating=0&out=25:00-26:00&bags=yes&board=AI')).toEqual({
    refine: {},
    unread: 'cheap',
  });
});

test('replaces and removes the values of one filter', () => {
  const refine = withRefine({ bags: ['1'] }, 'boards', ['AI']);
  expect(refine).toEqual({ bags: ['1'], boards: ['AI'] });
  expect(withRefine(refine, 'bags', [])).toEqual({ boards: ['AI'] });
});
