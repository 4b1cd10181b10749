import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '../../web/data/query-client.ts';
import '../../web/ui/face.css';
import '../../web/ui/tokens.css';
import '../../web/ui/base.css';
import '../../web/page.css';
import '../../web/brand/brand.css';
import './gallery.css';
import { Gallery } from './Gallery.tsx';
import { GALLERY_STATES } from './gallery-states.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('gallery.html has no element with the id "root"');

const name = new URLSearchParams(location.search).get('state');
const state = GALLERY_STATES.find((each) => each.name === name);
if (state === undefined) {
  createRoot(root).render(<Gallery />);
} else {
  state.prepare?.();
  createRoot(root).render(
    <QueryClientProvider client={createQueryClient()}>
      <div className="gallery-state">{state.render()}</div>
    </QueryClientProvider>,
  );
  await state.act?.();
  document.documentElement.dataset.ready = '';
}
