import { foldName } from '#domain/names.ts'

/** Starts with a space, so that ` ${start}` finds the start of any word. */
export function searchName(client: { display_name: string; given_name: string | null; family_name: string | null }): string {
  return ` ${foldName([client.display_name, client.given_name ?? '', client.family_name ?? ''].join(' '))}`
}
