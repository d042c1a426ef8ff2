/** Saves a ticket's file through the browser's own download; the address is used up by it. */
export function download(ticket: { readonly url: string; readonly file_name: string }): void {
  const link = document.createElement('a')
  link.href = ticket.url
  link.download = ticket.file_name
  document.body.append(link)
  link.click()
  link.remove()
}
