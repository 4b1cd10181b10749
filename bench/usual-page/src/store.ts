import { configureStore, createAsyncThunk, createSlice } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';

export interface Place {
  label: string;
  country: string;
  region: string;
  resort: string;
}

export interface Airport {
  name: string;
  code: string;
  region: string;
}

export interface Holiday {
  ItemKey: string;
  TotalPrice: number;
  HolidayCountry: string;
  HolidayRegion: string;
  HolidayResort: string;
  Hotel: { HotelName: string; StarRating: number };
  DepartureDate: string;
  Duration: number;
  BoardBasis: string;
  AdditionalData: { DeeplinkUrl: string };
}

interface Config {
  searchEndpoint: string;
  searchApiKey: string;
  brandCode: string;
  locationsUrl: string;
  departureAirportsUrl: string;
}

const FIELDS =
  'ItemKey TotalPrice HolidayCountry HolidayRegion HolidayResort Hotel DepartureDate Duration BoardBasis AdditionalData';
const QUERY = `query searchPackages($filters: PackageSearchFilters!, $limit: Int) {
  searchPackages(filters: $filters, limit: $limit) { items { ${FIELDS} } }
}`;

const rows = (text: string) =>
  text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));

export const loadLists = createAsyncThunk('lists', async () => {
  const config: Config = await (await fetch('/config.json')).json();
  const [locations, airports] = await Promise.all(
    [config.locationsUrl, config.departureAirportsUrl].map(async (url) => (await fetch(url)).text()),
  );
  const places = new Map<string, Place>();
  for (const [country = '', region = '', resort = ''] of rows(locations ?? '').slice(1)) {
    const levels = [
      { label: `${country} (any region/any resort)`, country, region: '', resort: '' },
      { label: `${region}, ${country}`, country, region, resort: '' },
      { label: `${resort}, ${region}, ${country}`, country, region, resort },
    ];
    for (const place of levels) places.set(place.label, place);
  }
  let region = '';
  const flat: Airport[] = [];
  for (const [name = '', code = '', flag = ''] of rows(airports ?? '')) {
    if (flag === '1') region = name;
    else flat.push({ name, code, region });
  }
  return { config, places: [...places.values()], airports: flat };
});

export const search = createAsyncThunk(
  'search',
  async (asked: { place: Place; airport: Airport; date: string; nights: number }, { getState }) => {
    const { config } = (getState() as RootState).page;
    const end = new Date(`${asked.date}T00:00:00Z`);
    end.setUTCDate(end.getUTCDate() + asked.nights);
    const { country, region, resort } = asked.place;
    const filters = {
      brand: config?.brandCode ?? 'SKY',
      startDate: asked.date,
      endDate: end.toISOString().slice(0, 10),
      departureAirports: [asked.airport.code],
      duration: asked.nights,
      country,
      region,
      resort,
    };
    const response = await fetch(config?.searchEndpoint ?? '/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': config?.searchApiKey ?? '' },
      body: JSON.stringify({ query: QUERY, variables: { filters, limit: 100 } }),
    });
    const { data } = await response.json();
    return data.searchPackages.items.map((item: Record<string, string>) => ({
      ...item,
      Hotel: JSON.parse(item.Hotel ?? '{}'),
      AdditionalData: JSON.parse(item.AdditionalData ?? '{}'),
    })) as Holiday[];
  },
);

const page = createSlice({
  name: 'page',
  initialState: {
    config: null as Config | null,
    places: [] as Place[],
    airports: [] as Airport[],
    holidays: null as Holiday[] | null,
    loading: false,
  },
  reducers: {},
  extraReducers: (builder) =>
    builder
      .addCase(loadLists.fulfilled, (state, { payload }) => ({ ...state, ...payload }))
      .addCase(search.pending, (state) => {
        state.loading = true;
      })
      .addCase(search.fulfilled, (state, { payload }) => {
        state.loading = false;
        state.holidays = payload;
      }),
});

export const store = configureStore({ reducer: { page: page.reducer } });
export type RootState = ReturnType<typeof store.getState>;
export const useAppDispatch = useDispatch.withTypes<typeof store.dispatch>();
export const useAppSelector = useSelector.withTypes<RootState>();
