type Page<Item> = { readonly data: { readonly data: readonly Item[]; readonly next_cursor: string | null } }

/** Reads a list to its end. A cursor that is returned again ends it too. */
export async function allPages<Item>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const found: Item[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data: page } = await read({ limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    found.push(...page.data)
    cursor = page.next_cursor === cursor ? null : page.next_cursor
  }
  return found
}
