/** The vault's own minimum; it refuses shorter ones with `passphrase-too-short`. */
const MIN_CHARACTERS = 12

/** How many characters are still to come; nothing more where it is 0 or less. */
export function charactersMissing(passphrase: string): number {
  return MIN_CHARACTERS - [...passphrase].length
}
