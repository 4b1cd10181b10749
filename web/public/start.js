// Offers a reload if the page's own script could not be loaded, so that nothing else can.
addEventListener('load', () => {
  if (document.documentElement.dataset.started !== undefined) return;
  const offer = document.createElement('div');
  offer.className = 'reload-offer';
  offer.setAttribute('role', 'alert');
  const words = document.createElement('p');
  words.textContent = 'This page couldn’t be loaded. Check your connection, then reload the page.';
  const button = document.createElement('button');
  button.className = 'button-quiet';
  button.textContent = 'Reload the page';
  button.addEventListener('click', () => location.reload());
  offer.append(words, button);
  document.body.append(offer);
});
