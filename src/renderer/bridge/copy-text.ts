import { call } from './use-bridge.ts'

/**
 * Copies text of a record.
 *
 * @returns after how many seconds the app clears it from the clipboard; null where it can't
 * @throws DOMException where the system refuses the clipboard
 */
export async function copyText(text: string): Promise<number | null> {
  await navigator.clipboard.writeText(text)
  return (await call('app.copied', {})).cleared_after_s
}
