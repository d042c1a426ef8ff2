export function isWebAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  return ['https:', 'http:'].includes(new URL(value).protocol)
}
