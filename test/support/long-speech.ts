import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testData } from './machine.ts'

interface Dialogue {
  readonly turns: readonly { readonly speaker_id: string; readonly text: string }[]
}

/** Two dialogues after each other are a little over ten minutes when two voices read them aloud. */
const parts = ['01-speaking-up', '03-pause-button']

/** Reads a long dialogue aloud with the project's two voices, into `folder`. Needs flite, sox and bc. */
export function makeLongSpeech(folder: string): { wav: string; dialogue: string } {
  const turns = parts.flatMap((part) => {
    const { turns: found } = JSON.parse(readFileSync(testData('dialogues', 'therapy', `${part}.json`), 'utf8')) as Dialogue
    return found.map(({ speaker_id, text }) => `${speaker_id === 'T' ? 'T' : 'C'}\t${text.replace(/\s+/g, ' ')}`)
  })
  const dialogue = `${turns.join('\n')}\n`
  const script = join(folder, 'long.tsv')
  writeFileSync(script, dialogue)
  execFileSync('bash', [testData('speech', 'make-session.sh'), script, join(folder, 'long')], { stdio: 'ignore' })
  return { wav: join(folder, 'long.wav'), dialogue }
}
