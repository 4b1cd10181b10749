import { formatWholePounds, poundsToPence } from '../domain/money.ts';

export function pounds(amount: number): string {
  return formatWholePounds(poundsToPence(amount));
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
