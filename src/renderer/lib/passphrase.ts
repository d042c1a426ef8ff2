/** Must equal the vault's minimum, below which it answers `passphrase-too-short`. */
const MIN_CHARACTERS = 12

export function charactersMissing(passphrase: string): number {
  return MIN_CHARACTERS - [...passphrase].length
}
