let memory = new Uint8Array(2 ** 16);
let end = 0;

/** The bytes that `write` writes with the functions below. */
export function bytesWritten(write: () => void): Uint8Array {
  end = 0;
  write();
  return memory.slice(0, end);
}

function makeRoom(): void {
  if (end + 8 <= memory.length) return;
  const larger = new Uint8Array(memory.length * 2);
  larger.set(memory);
  memory = larger;
}

export function putFixed(value: number, bytes: number): void {
  makeRoom();
  for (let nth = 0, rest = value; nth < bytes; nth += 1) {
    memory[end] = rest & 0xff;
    rest = Math.floor(rest / 256);
    end += 1;
  }
}

export function putVarint(value: number): void {
  makeRoom();
  let rest = value;
  while (rest >= 0x80) {
    memory[end] = (rest & 0x7f) | 0x80;
    rest = Math.floor(rest / 128);
    end += 1;
  }
  memory[end] = rest;
  end += 1;
}

export function bytesOfVarint(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}

/** How many bytes a number needs, 1 to 4. */
export function bytesOf(value: number): number {
  if (value < 2 ** 8) return 1;
  if (value < 2 ** 16) return 2;
  return value < 2 ** 24 ? 3 : 4;
}
