/** Round steps from 0 up to the first that reaches `most`, four at most beside the nought. */
export function stepsTo(most: number): number[] {
  const size = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000].find((step) => step * 4 >= most) ?? Math.ceil(most / 4)
  return Array.from({ length: Math.ceil(most / size) + 1 }, (_, index) => index * size)
}

/** So many names fit below a chart; the first has one always. */
export function labelled(index: number, count: number): boolean {
  return index % Math.ceil(count / 4) === 0
}

/** "7 Sep", or "Sep" where a part is a month. */
export function shortDate(day: string, by: 'week' | 'month'): string {
  const date = new Date(`${day}T12:00:00`)
  return date.toLocaleDateString('en-GB', { month: 'short', ...(by === 'week' ? { day: 'numeric' } : {}) })
}
