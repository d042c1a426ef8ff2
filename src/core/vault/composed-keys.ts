import type { Envelope, readEnvelope } from '#core/keys/envelope.ts'

const MAX_TRIED = 4096

/**
 * Composes an envelope from damaged copies: where most of them agree on a byte, it takes that byte; elsewhere it tries
 * each of their bytes in turn. The checksum inside proves the result.
 */
export function composeEnvelope(
  copies: readonly Buffer[],
  read: (bytes: Buffer) => ReturnType<typeof readEnvelope>,
): Envelope | null {
  if (copies.length < 2) return null
  for (const length of new Set(copies.map((copy) => copy.length))) {
    const choices = Array.from({ length }, (_, at) => choicesAt(copies, at))
    const open = choices.flatMap((choice, at) => (choice.length > 1 ? [{ at, choice }] : []))
    const count = open.reduce((product, { choice }) => product * choice.length, 1)
    for (let number = 0; count <= MAX_TRIED && number < count; number += 1) {
      const found = read(chosen(choices, open, number))
      if (typeof found === 'object' && found.state === 'made') return found
    }
  }
  return null
}

function choicesAt(copies: readonly Buffer[], at: number): readonly number[] {
  const bytes = copies.flatMap((copy) => copy[at] ?? [])
  const most = bytes.find((byte) => bytes.filter((other) => other === byte).length * 2 > bytes.length)
  return most === undefined ? [...new Set(bytes)] : [most]
}

type Open = readonly { readonly at: number; readonly choice: readonly number[] }[]

function chosen(choices: readonly (readonly number[])[], open: Open, number: number): Buffer {
  const bytes = Buffer.from(choices.map(([first]) => first!))
  let rest = number
  for (const { at, choice } of open) {
    bytes[at] = choice[rest % choice.length]!
    rest = Math.floor(rest / choice.length)
  }
  return bytes
}
