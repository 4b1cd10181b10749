import { AppBar, Container, CssBaseline, Stack, Toolbar, Typography } from '@mui/material';
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { BrowserRouter, Route, Routes } from 'react-router';
import { Results } from './Results.tsx';
import { SearchForm } from './SearchForm.tsx';
import { loadLists, store, useAppDispatch } from './store.ts';

function App() {
  const dispatch = useAppDispatch();
  useEffect(() => {
    void dispatch(loadLists());
  }, [dispatch]);
  return (
    <>
      <AppBar position="static">
        <Toolbar>
          <Typography variant="h6">Skylark</Typography>
        </Toolbar>
      </AppBar>
      <Container sx={{ py: 4 }}>
        <Stack spacing={3}>
          <Typography variant="h3" component="h1">
            Your next holiday, found
          </Typography>
          <SearchForm />
          <Routes>
            <Route path="/results" element={<Results />} />
            <Route path="*" element={null} />
          </Routes>
        </Stack>
      </Container>
    </>
  );
}

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Provider store={store}>
        <LocalizationProvider dateAdapter={AdapterDayjs}>
          <CssBaseline />
          <BrowserRouter>
            <App />
          </BrowserRouter>
        </LocalizationProvider>
      </Provider>
    </StrictMode>,
  );
}
