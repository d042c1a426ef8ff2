/** The fewest steps, of those found by leaving out ever smaller stretches, that still fail. */
export async function shrink<Item>(
  items: readonly Item[],
  fails: (items: readonly Item[]) => Promise<boolean>,
  mostTries = 200,
): Promise<readonly Item[]> {
  let left = items
  let tries = 0
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    let isSmaller = true
    while (isSmaller) {
      isSmaller = false
      for (let at = 0; at < left.length && tries < mostTries;) {
        const without = [...left.slice(0, at), ...left.slice(at + size)]
        tries += 1
        if (without.length < left.length && (await fails(without))) {
          left = without
          isSmaller = true
        } else at += size
      }
    }
  }
  return left
}
