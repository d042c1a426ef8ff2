/** Whether the text and bytes in a message exceed a limit. Stops counting at the limit. */
export function isLargerThan(message: unknown, maxBytes: number): boolean {
  let left = maxBytes
  const count = (value: unknown): boolean => {
    if (typeof value === 'string') left -= value.length
    else if (ArrayBuffer.isView(value)) left -= value.byteLength
    else if (typeof value === 'object' && value !== null) {
      left -= 8
      return left < 0 || Object.entries(value).some(([key, part]) => count(key) || count(part))
    } else left -= 8
    return left < 0
  }
  return count(message)
}
