// The script of a hotel's page, which works without it: counts visits, opens alerts and price history in place, draws
// the map, scrolls prices to the chosen day, closes the page with Back, and says how old a page is that the service
// worker has kept.

/** An older page was kept: the server sends each anew. */
const FRESH_MS = 120_000;

const main = document.querySelector('main.hotel');
const kept = document.querySelector('.hotel-kept');
kept.hidden = Date.now() - Date.parse(main.dataset.at) < FRESH_MS;

/** On a phone, the chosen day stands after days that may have no price: it comes beside the boards' names. */
const chosen = main.querySelector('.hotel-chosen');
if (chosen)
  chosen.closest('.hotel-scroll').scrollLeft =
    chosen.offsetLeft - chosen.parentElement.firstElementChild.offsetWidth;

main.querySelector('[data-visit]')?.addEventListener('click', ({ currentTarget }) => {
  fetch('/visits', {
    method: 'POST',
    keepalive: true,
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: currentTarget.dataset.visit,
  }).catch(() => {});
});

const opensElsewhere = ({ ctrlKey, metaKey, shiftKey, altKey }) => ctrlKey || metaKey || shiftKey || altKey;

/** Where the page was opened, if the browser tells and it is here. */
const { navigation } = globalThis;
const before = navigation?.entries()[navigation.currentEntry.index - 1]?.url;
const openedAt = before ? new URL(before).pathname : location.pathname;
const back = main.querySelector('.hotel-back');
if (openedAt !== location.pathname && !openedAt.startsWith('/results')) back.firstChild.textContent = 'Back';

main.addEventListener('click', (event) => {
  const link = event.target.closest('a');
  if (!link || opensElsewhere(event)) return;
  if (link === back && openedAt !== location.pathname) {
    event.preventDefault();
    history.back();
  } else if (link.pathname === location.pathname) {
    // Another day or package of the hotel takes the page's place, so that Back closes it.
    event.preventDefault();
    location.replace(link.href);
  }
});

/** The page of the results has the dialogs: see web/main.tsx. */
const dialogs = () => import(main.dataset.page);

for (const opener of main.dataset.page ? main.querySelectorAll('[data-dialog]') : []) {
  opener.hidden = false;
  opener.setAttribute('aria-haspopup', 'dialog');
  for (const event of ['pointerenter', 'focus'])
    opener.addEventListener(event, () => void dialogs().catch(() => {}), { once: true });
  opener.addEventListener('click', (event) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    dialogs().then(
      () => dispatchEvent(new CustomEvent('hoteldialog', { detail: opener.dataset.dialog })),
      () => opener.href && location.assign(opener.href),
    );
  });
}

/** The page says the distances in words: the map is drawn once it is in sight. */
const map = main.dataset.page ? main.querySelector('[data-hotel-map]') : null;
if (map) {
  const inSight = new IntersectionObserver(([entry]) => {
    if (!entry.isIntersecting) return;
    inSight.disconnect();
    dialogs().then(
      () => dispatchEvent(new CustomEvent('hoteldialog', { detail: 'map' })),
      () => map.remove(),
    );
  });
  inSight.observe(map);
}
