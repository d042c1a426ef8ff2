export const addTo =
  <Item>(set: Set<Item>) =>
  (item: Item): (() => void) => {
    set.add(item)
    return () => void set.delete(item)
  }
