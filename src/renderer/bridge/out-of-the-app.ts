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

/** Saves a ticket's file through the browser's own download; the address is used up by it. */
export function download(ticket: { readonly url: string; readonly file_name: string }): void {
  const link = document.createElement('a')
  link.href = ticket.url
  link.download = ticket.file_name
  document.body.append(link)
  link.click()
  link.remove()
}
