/** Makes a function that adds to `set` and returns what removes it again. */
export const addTo =
  <Item>(set: Set<Item>) =>
  (item: Item): (() => void) => {
    set.add(item)
    return () => void set.delete(item)
  }
