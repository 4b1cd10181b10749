// A page that is not Skylark's. It lists holidays from a Skylark server, with a placeholder for the widget in each.

const skylark = document.querySelector('meta[name="skylark"]').content;
const status = document.querySelector('#status');
const list = document.querySelector('#holidays');

const QUERY = `query ($filters: PackageSearchFilters!) {
  searchPackages(filters: $filters, limit: 20, sortBy: PRICE_ASC) {
    items { ItemKey Hotel HolidayResort DepartureDate Duration TotalPrice }
  }
}`;

try {
  const items = await searchHolidays();
  for (const item of items) list.append(holidayElement(item));
  status.textContent = `${items.length} holidays`;
  publish(items);
} catch (error) {
  status.textContent = `The holidays could not be loaded: ${error.message}`;
}

async function searchHolidays() {
  const config = await (await fetch(`${skylark}/config.json`)).json();
  const response = await fetch(new URL(config.searchEndpoint, skylark), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': config.searchApiKey },
    body: JSON.stringify({ query: QUERY, variables: { filters: filters(config.brandCode) } }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  return data.searchPackages.items;
}

/** Any week in the next four months, from London. */
function filters(brand) {
  const day = (later) => new Date(Date.now() + later * 86_400_000).toISOString().slice(0, 10);
  return {
    brand,
    startDate: day(1),
    endDate: day(120),
    departureAirports: ['LGW', 'LHR', 'STN', 'LTN'],
    duration: 7,
  };
}

/** The list item itself is the placeholder. */
function holidayElement(item) {
  const element = document.createElement('li');
  const heading = document.createElement('h2');
  heading.textContent = JSON.parse(item.Hotel).HotelName;
  const facts = document.createElement('p');
  facts.textContent = `${item.HolidayResort}, ${item.Duration} nights from ${item.DepartureDate}: £${item.TotalPrice}`;
  element.append(heading, facts);
  element.setAttribute('data-price-analysis', item.ItemKey);
  return element;
}

/** Optional: names the hotel to screen readers, and lets the widget notice a newer price. */
function publish(items) {
  window.holidayPageData = {
    packages: items.map((item) => ({
      ItemKey: item.ItemKey,
      hotel: { HotelName: JSON.parse(item.Hotel).HotelName },
      additionalData: { TotalPrice: item.TotalPrice },
    })),
  };
  window.dispatchEvent(new Event('holidaypagedata'));
}
