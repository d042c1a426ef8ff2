import { transcriptWords } from '#renderer/strings/transcript.ts'

const { keys } = transcriptWords
const lines: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['Space'], does: keys.play },
  { keys: ['J', 'L'], does: keys.jump },
  { keys: ['E'], does: keys.correct },
  { keys: ['1', '2'], does: keys.speaker },
  { keys: ['N'], does: keys.next },
]
const soundKeys: ReadonlySet<string> = new Set([keys.play, keys.jump])

/** Without sound the keys that play it are left out. */
export function KeysLine({ hasSound }: { readonly hasSound: boolean }) {
  return (
    <p className="keys-line">
      {lines
        .filter((line) => hasSound || !soundKeys.has(line.does))
        .map((line) => (
          <span key={line.does}>
            {line.keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
            {line.does}
          </span>
        ))}
    </p>
  )
}
