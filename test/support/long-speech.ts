import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testData } from './machine.ts'

/** A session in plain words: T therapist, C client; a little over ten minutes when two voices read it aloud. */
const script = new URL('../fixtures/speech/ten-minutes.tsv', import.meta.url).pathname

/** Reads a long dialogue aloud with the project's two voices, into `folder`. Needs flite, sox and bc. */
export function makeLongSpeech(folder: string): { wav: string; dialogue: string } {
  execFileSync('bash', [testData('speech', 'make-session.sh'), script, join(folder, 'long')], { stdio: 'ignore' })
  return { wav: join(folder, 'long.wav'), dialogue: readFileSync(script, 'utf8') }
}
