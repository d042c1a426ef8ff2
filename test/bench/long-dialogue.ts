import path from 'node:path'
import { dialoguesIn } from '../engines/language/support/dialogue.ts'
import type { Dialogue } from '../engines/language/support/dialogue.ts'

const folder = path.join(import.meta.dirname, '../engines/language/dialogues')
const wordsWanted = 9_000

/** A 50-minute session of about 9,000 words, put together from short ones. */
export function longDialogue(): Dialogue {
  const sources = dialoguesIn(folder).filter((dialogue) => dialogue.speakers.length === 2)
  const [first] = sources
  if (!first) throw new Error('no dialogues to build the session from')
  const turns: { speaker_id: string; start_ms: number; end_ms: number; text: string }[] = []
  let words = 0
  let at = 0
  for (let round = 0; words < wordsWanted; round += 1) {
    const source = sources[round % sources.length] ?? first
    for (const turn of source.turns) {
      const length = turn.text.split(' ').length
      turns.push({ ...turn, start_ms: at, end_ms: at + length * 300 })
      at += length * 330
      words += length
    }
  }
  return { ...first, turns }
}
