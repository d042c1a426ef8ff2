/** Letters without case or accents, words parted by single spaces: how names are compared and searched. */
export function normalName(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Starts with a space, so that ` ${start}` finds the start of any word. */
export function searchName(client: { display_name: string; given_name: string | null; family_name: string | null }): string {
  return ` ${normalName([client.display_name, client.given_name ?? '', client.family_name ?? ''].join(' '))}`
}
