import {
  Button,
  Card,
  CardActions,
  CardContent,
  CircularProgress,
  Rating,
  Stack,
  Typography,
} from '@mui/material';
import { useAppSelector } from './store.ts';

export function Results() {
  const { holidays, loading } = useAppSelector((state) => state.page);
  if (loading) return <CircularProgress />;
  if (holidays === null || holidays.length === 0) return <Typography>No holidays found</Typography>;
  return (
    <Stack spacing={2}>
      <Typography variant="h6">
        Showing 1 to {Math.min(10, holidays.length)} of {holidays.length} results
      </Typography>
      {holidays.slice(0, 10).map((holiday) => (
        <Card key={holiday.ItemKey} component="article">
          <CardContent>
            <Typography variant="h5">{holiday.Hotel.HotelName}</Typography>
            <Rating readOnly precision={0.5} value={holiday.Hotel.StarRating} />
            <Typography color="text.secondary">
              {[holiday.HolidayResort, holiday.HolidayRegion, holiday.HolidayCountry].join(', ')}
            </Typography>
            <Typography>
              {holiday.DepartureDate}, {holiday.Duration} nights, {holiday.BoardBasis}
            </Typography>
            <Typography variant="h6">£{Math.round(holiday.TotalPrice)}</Typography>
          </CardContent>
          <CardActions>
            <Button
              variant="contained"
              href={holiday.AdditionalData.DeeplinkUrl}
              target="_blank"
              rel="noopener"
            >
              Visit site
            </Button>
            <Button>Set up price alerts</Button>
          </CardActions>
        </Card>
      ))}
    </Stack>
  );
}
