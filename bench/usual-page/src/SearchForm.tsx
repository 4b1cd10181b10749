import {
  Autocomplete,
  Button,
  createFilterOptions,
  FormControl,
  InputLabel,
  MenuItem,
  Paper,
  Select,
  Stack,
  TextField,
} from '@mui/material';
import { DatePicker } from '@mui/x-date-pickers/DatePicker';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type Airport, type Place, search, useAppDispatch, useAppSelector } from './store.ts';

// Without a limit each keystroke renders every match.
const filterPlaces = createFilterOptions<Place>({ limit: 50 });

export function SearchForm() {
  const { places, airports, loading } = useAppSelector((state) => state.page);
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [place, setPlace] = useState<Place | null>(null);
  const [airport, setAirport] = useState<Airport | null>(null);
  const [date, setDate] = useState(dayjs().add(1, 'day'));
  const [nights, setNights] = useState(7);

  return (
    <Paper
      component="form"
      sx={{ p: 3 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (place === null || airport === null) return;
        void dispatch(search({ place, airport, date: date.format('YYYY-MM-DD'), nights }));
        void navigate('/results');
        window.scrollTo({ top: 0, behavior: 'smooth' });
      }}
    >
      <Stack direction={{ xs: 'column', md: 'row' }} spacing={2}>
        <Autocomplete
          fullWidth
          options={places}
          value={place}
          filterOptions={filterPlaces}
          onChange={(_event, chosen) => setPlace(chosen)}
          renderInput={(params) => (
            <TextField {...params} label="Destination" placeholder="Where do you want to go?" />
          )}
        />
        <Autocomplete
          fullWidth
          multiple
          options={airports}
          value={airport === null ? [] : [airport]}
          groupBy={({ region }) => region}
          getOptionLabel={({ name }) => name}
          getOptionKey={({ code, region }) => code + region}
          onChange={(_event, chosen) => setAirport(chosen.at(-1) ?? null)}
          renderInput={(params) => (
            <TextField {...params} label="Departure airport" placeholder="Select departure airports" />
          )}
        />
        <DatePicker
          label="When"
          format="DD/MM/YYYY"
          value={date}
          minDate={dayjs().add(1, 'day')}
          maxDate={dayjs().add(18, 'month')}
          onChange={(picked) => setDate(picked ?? date)}
        />
        <FormControl sx={{ minWidth: 120 }}>
          <InputLabel id="nights">How long</InputLabel>
          <Select
            labelId="nights"
            label="How long"
            value={nights}
            onChange={(event) => setNights(Number(event.target.value))}
          >
            {[4, 7, 10, 14].map((each) => (
              <MenuItem key={each} value={each}>
                {each} nights
              </MenuItem>
            ))}
          </Select>
        </FormControl>
        <Button type="submit" variant="contained" disabled={loading || place === null || airport === null}>
          {loading ? 'Searching...' : 'Search'}
        </Button>
      </Stack>
    </Paper>
  );
}
