/**
 * Tokens a text may take, from above: tokenizers differ and are not to be had for every server. English is about four
 * letters a token and is counted with three; other scripts can take a token a letter.
 */
export function tokensOf(text: string): number {
  let plain = 0
  let other = 0
  for (const letter of text) {
    if (letter.codePointAt(0)! < 0x250) plain += 1
    else other += 1
  }
  return Math.ceil(plain / 3) + other
}
