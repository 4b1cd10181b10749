/** Actions that bring a part into a state. Fields are found by their label. */

export async function typeInto(label: string, text: string): Promise<void> {
  const input = await control(label);
  input.focus();
  input.click();
  // React only notices values set by the prototype's setter.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

export async function leave(label: string): Promise<void> {
  (await control(label)).blur();
}

export async function press(label: string): Promise<void> {
  (await control(label)).click();
}

export async function submitForm(): Promise<void> {
  (await found(() => document.querySelector<HTMLFormElement>('dialog form'))).requestSubmit();
}

function control(label: string): Promise<HTMLInputElement> {
  return found(() => {
    const labels = [...document.querySelectorAll('label')];
    const named = labels.find(({ textContent }) => textContent === label)?.control;
    return named instanceof HTMLInputElement ? named : null;
  });
}

/** Waits, because some parts load their code on demand. */
async function found<T>(find: () => T | null): Promise<T> {
  for (let frame = 0; frame < 600; frame += 1) {
    const result = find();
    if (result !== null) return result;
    await new Promise(requestAnimationFrame);
  }
  throw new Error('The part has not appeared');
}
