/** Amounts stay decimal text from the payer's line to the answer: no number in between rounds them. */

const decimal = /^\+?(\d*)(?:\.(\d*))?$/

/** "20", "20.5", ".5" as "20.00", "20.50", "0.50"; null where it is not an amount of cents, and then its line alone says it. */
export function amountOf(text: string | null): string | null {
  const parts = partsOf(text)
  if (parts === null) return null
  const cents = parts.fraction.padEnd(2, '0')
  return /^0*$/.test(cents.slice(2)) ? `${parts.whole}.${cents.slice(0, 2)}` : null
}

/** EB08 is a share: ".2" is 20 percent. What is above 1 was written as a percentage, and is taken as such. */
export function percentOf(text: string | null): string | null {
  const parts = partsOf(text)
  if (parts === null) return null
  const { whole, fraction } = parts
  const isShare = whole === '0' || (whole === '1' && /^0*$/.test(fraction))
  if (!isShare) return trimmed(whole, fraction)
  const shifted = fraction.padEnd(2, '0')
  return trimmed(whole + shifted.slice(0, 2), shifted.slice(2))
}

/** A count of visits; null where it is not a whole number. */
export function countOf(text: string | null): number | null {
  const parts = partsOf(text)
  if (parts === null || !/^0*$/.test(parts.fraction) || parts.whole.length > 6) return null
  return Number(parts.whole)
}

function partsOf(text: string | null): { whole: string; fraction: string } | null {
  const match = text === null ? null : decimal.exec(text.trim())
  if (match === null) return null
  const [, whole = '', fraction = ''] = match
  if (whole === '' && fraction === '') return null
  return { whole: whole.replace(/^0+(?=\d)/, '') || '0', fraction }
}

function trimmed(whole: string, fraction: string): string {
  const [left, right] = [whole.replace(/^0+(?=\d)/, ''), fraction.replace(/0+$/, '')]
  return right === '' ? left : `${left}.${right}`
}
