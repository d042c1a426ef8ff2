import { call } from './use-bridge.ts'

/**
 * Copies record text to the clipboard.
 * @returns seconds until the app clears the clipboard, or null if it can't
 * @throws DOMException if the system denies clipboard access
 */
export async function copyText(text: string): Promise<number | null> {
  await navigator.clipboard.writeText(text)
  return (await call('app.copied', {})).cleared_after_s
}

export function download(ticket: { readonly url: string; readonly file_name: string }): void {
  const link = document.createElement('a')
  link.href = ticket.url
  link.download = ticket.file_name
  document.body.append(link)
  link.click()
  link.remove()
}
