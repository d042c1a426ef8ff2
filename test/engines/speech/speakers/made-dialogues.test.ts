import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { assignSpeakers } from '#engines/speech/speakers/assign.ts'
import { createDiarizer } from '#engines/speech/speakers/diarizer.ts'
import { leftOut } from '#test/support/left-out.ts'
import { testData, unmet } from '#test/support/machine.ts'
import { diarizationErrors, wordsUnderTheRightSpeaker } from './score.ts'
import { readSession, standIns } from './sessions.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const missing = isFull && leftOut('speakers of dialogues read aloud', (await unmet('test-data')) ?? (await unmet('speech-maker')))

const folder = mkdtempSync(join(tmpdir(), 'afterword-dialogues-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Dialogue {
  readonly turns: readonly { readonly speaker_id: string; readonly text: string }[]
}

/** Whole therapy dialogues of two people, each read by another pair of voices. */
const pairs = [
  ['rms', 'slt'],
  ['awb', 'slt'],
  ['slt', 'kal16'],
] as const

describe.skipIf(!isFull || missing)('dialogues read aloud', () => {
  test.each(pairs)('read by %s and %s, the words stand under who said them', async (therapist, client) => {
    const index = pairs.findIndex(([one, other]) => one === therapist && other === client)
    const files = readdirSync(testData('dialogues', 'therapy')).filter((name) => name.endsWith('.json'))
    const two = files.map(readDialogue).filter(({ turns }) => new Set(turns.map(({ speaker_id }) => speaker_id)).size === 2)
    const base = join(folder, `${therapist}-${client}`)
    const { turns } = two[index % two.length]!
    writeFileSync(`${base}.tsv`, turns.map(({ speaker_id, text }) => `${speaker_id === 'T' ? 'T' : 'C'}\t${text}\n`).join(''))
    execFileSync(testData('speech', 'make-session.sh'), [`${base}.tsv`, base, therapist, client])
    const { samples, spoken } = readSession(base)
    const diarizer = createDiarizer({ ...standIns, voices: 2, enrolled: [] })
    for (let at = 0; at < samples.length; at += 160_000) {
      diarizer.accept(samples.subarray(at, at + 160_000))
      await breathe()
    }
    const diarized = diarizer.finish()
    const errors = diarizationErrors(spoken, diarized.turns)
    const words = spoken.flatMap(({ start_ms, end_ms, who }) => {
      const count = Math.max(1, Math.round((end_ms - start_ms) / 300))
      const each = (end_ms - start_ms) / count
      return Array.from({ length: count }, (_, at) => ({
        who,
        start_ms: start_ms + at * each,
        end_ms: start_ms + (at + 1) * each,
      }))
    })
    const heard = words.map(({ start_ms, end_ms }) => {
      const word = { text: 'word', start_ms, end_ms, confidence: null }
      return { ...word, words: [word] }
    })
    const voices = assignSpeakers(heard, diarized.turns).map(({ voice }) => voice)
    const right = wordsUnderTheRightSpeaker(words.map(({ who }, at) => ({ who, voice: voices[at]! })))
    process.stdout.write(`${therapist} and ${client}: words ${(right * 100).toFixed(1)}%, errors ${(errors * 100).toFixed(1)}%\n`)
    expect(right).toBeGreaterThanOrEqual(0.95)
    expect(errors).toBeLessThanOrEqual(0.1)
  })
})

function readDialogue(name: string): Dialogue {
  return JSON.parse(readFileSync(testData('dialogues', 'therapy', name), 'utf8')) as Dialogue
}
