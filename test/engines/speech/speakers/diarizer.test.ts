import { describe, expect, test } from 'vitest'
import type { HeardSegment, Diarized, DiarizerOptions } from '#engines/speech/port.ts'
import { assignSpeakers } from '#engines/speech/speakers/assign.ts'
import { createDiarizer } from '#engines/speech/speakers/diarizer.ts'
import { leftOut } from '#test/support/left-out.ts'
import { testData, unmet } from '#test/support/machine.ts'
import { diarizationErrors, wordsUnderTheRightSpeaker, type Spoken } from './score.ts'
import { joinTurns, readSession, standIns, turnsOf, type Session } from './sessions.ts'

const noData = leftOut('telling speakers apart', await unmet('test-data'))

function diarize({ samples }: Session, options: Partial<DiarizerOptions> = {}): Diarized {
  const diarizer = createDiarizer({ ...standIns, voices: 2, enrolled: [], ...options })
  for (let at = 0; at < samples.length; at += 16_000) diarizer.accept(samples.subarray(at, at + 16_000))
  return diarizer.finish()
}

const katieAndSteve = () => readSession(testData('speech', 'katiesteve_29s'))
const therapy = () => readSession(testData('speech', 'session-flite'))

/** Its turns in a steady shuffle, again and again, with pauses of many lengths. */
function long(
  turns: ReturnType<typeof turnsOf>,
  count: number,
  pauseMs = (index: number) => 350 + ((index * 7919) % 900),
): Session {
  const chosen = Array.from({ length: count }, (_, index) => turns[(index * 5 + ((index * index) % 7)) % turns.length]!)
  return joinTurns(chosen, pauseMs)
}

/** Five words a second; one segment runs over two turns, as recognisers write them. */
function heardWords(spoken: readonly Spoken[]): { segments: HeardSegment[]; who: string[] } {
  const words = spoken.flatMap(({ start_ms, end_ms, who }) => {
    const count = Math.max(1, Math.round((end_ms - start_ms) / 200))
    const each = (end_ms - start_ms) / count
    return Array.from({ length: count }, (_, index) => ({
      who,
      start_ms: start_ms + index * each,
      end_ms: start_ms + (index + 1) * each,
    }))
  })
  const segments: HeardSegment[] = []
  for (let at = 0; at < words.length; at += 25) {
    const own = words
      .slice(at, at + 25)
      .map((word, index) => ({ text: `w${index}`, start_ms: word.start_ms, end_ms: word.end_ms, confidence: null }))
    const text = own.map((word) => word.text).join(' ')
    segments.push({ text, start_ms: own[0]!.start_ms, end_ms: own.at(-1)!.end_ms, confidence: null, speaker: null, words: own })
  }
  return { segments, who: words.map(({ who }) => who) }
}

function wordsRight(session: Session, { turns }: Diarized): number {
  const { segments, who } = heardWords(session.spoken)
  const voices = assignSpeakers(segments, turns).flatMap(({ words, voice }) => words.map(() => voice))
  return wordsUnderTheRightSpeaker(who.map((name, index) => ({ who: name, voice: voices[index]! })))
}

describe.skipIf(noData)('speakers in the room', () => {
  test('two real people are told apart', () => {
    const session = katieAndSteve()
    const errors = diarizationErrors(session.spoken, diarize(session).turns)
    process.stdout.write(`diarization errors, two real people: ${(errors * 100).toFixed(1)}%\n`)
    expect(errors).toBeLessThanOrEqual(0.1)
  })

  test('the words of a therapy dialogue stand under who said them', () => {
    const session = therapy()
    const diarized = diarize(session)
    expect(diarizationErrors(session.spoken, diarized.turns)).toBeLessThanOrEqual(0.1)
    expect(wordsRight(session, diarized)).toBeGreaterThanOrEqual(0.95)
  })

  test('a long session with silences is one session, not a row of windows', () => {
    const session = long(turnsOf(therapy()), 64, (index) => (index % 20 === 19 ? 25_000 : 400 + (index % 5) * 150))
    const diarized = diarize(session)
    expect(diarized.voices).toHaveLength(2)
    expect(wordsRight(session, diarized)).toBeGreaterThanOrEqual(0.95)
    expect(diarizationErrors(session.spoken, diarized.turns)).toBeLessThanOrEqual(0.1)
  })

  test('a couple and a therapist are three voices', () => {
    const turns = [...turnsOf(therapy()), ...turnsOf(katieAndSteve()).filter(({ who }) => who === 'Steve')]
    const session = long(turns, 44)
    const diarized = diarize(session, { voices: 3 })
    expect(diarized.voices).toHaveLength(3)
    expect(wordsRight(session, diarized)).toBeGreaterThanOrEqual(0.95)
  })

  test('two people taken for one are two sounds of one voice', () => {
    const session = long(turnsOf(therapy()), 36)
    const { turns, voices } = diarize(session, { voices: 1 })
    expect(voices).toHaveLength(1)
    const byPart = turns.filter(({ voice }) => voice !== null).map((turn) => ({ ...turn, voice: turn.part }))
    expect(diarizationErrors(session.spoken, byPart)).toBeLessThanOrEqual(0.15)
  })

  test('a window in which one person speaks makes nobody two people', () => {
    const turns = turnsOf(therapy())
    const monologue = turns.filter(({ who }) => who === 'C')
    const session = joinTurns([...monologue, ...monologue, ...monologue, ...monologue, ...monologue, ...turns], () => 600)
    const diarized = diarize(session)
    expect(diarized.voices).toHaveLength(2)
    expect(diarizationErrors(session.spoken, diarized.turns)).toBeLessThanOrEqual(0.05)
  })

  test('one person alone is one voice, though two were expected', () => {
    const alone = turnsOf(therapy()).filter(({ who }) => who === 'T')
    expect(diarize(joinTurns([...alone, ...alone, ...alone], () => 500)).voices).toHaveLength(1)
  })

  test('who goes on where another process was cut off ends the same way', () => {
    const { samples } = long(turnsOf(therapy()), 22)
    const cut = 50 * 16_000
    const run = (isCutOff: boolean): Diarized => {
      let diarizer = createDiarizer({ ...standIns, voices: 2, enrolled: [] })
      diarizer.accept(samples.subarray(0, cut))
      const kept = diarizer.keep()
      if (isCutOff) diarizer = createDiarizer({ ...standIns, voices: 2, enrolled: [], kept })
      diarizer.accept(samples.subarray(cut))
      return diarizer.finish()
    }
    expect(run(true)).toEqual(run(false))
  })

  test('silence has no voices, and what nobody heard as speech is nobody’s', () => {
    expect(diarize({ samples: new Float32Array(16_000 * 20), spoken: [] })).toEqual({ turns: [], voices: [] })
    const session = therapy()
    const diarizer = createDiarizer({ ...standIns, voices: 2, enrolled: [] })
    diarizer.accept(session.samples)
    const half = session.spoken.filter(({ start_ms }) => start_ms < 30_000)
    expect(diarizer.finish(half).turns.every(({ start_ms }) => start_ms < 32_000)).toBe(true)
  })

  test('an enrolled voice is known again, and no other is taken for it', () => {
    const [early, late] = [therapy(), long(turnsOf(therapy()), 30)]
    const known = diarize({ ...early, samples: early.samples.slice(0, 25 * 16_000) })
    const enrolled = [{ id: 'me', embedding: known.voices[0]!.embedding }]
    const found = diarize(late, { enrolled })
    const me = found.voices.filter(({ enrolled_id }) => enrolled_id === 'me')
    expect(me).toHaveLength(1)
    const own = found.turns.filter(({ voice }) => voice === me[0]!.voice)
    expect(
      diarizationErrors(
        late.spoken.filter(({ who }) => who === 'T'),
        own,
      ),
    ).toBeLessThanOrEqual(0.1)
    expect(diarize(katieAndSteve(), { enrolled }).voices.every(({ enrolled_id }) => enrolled_id === null)).toBe(true)
  })

  test('what is told of a voice does not grow with how often it is asked', () => {
    const session = therapy()
    const diarizer = createDiarizer({ ...standIns, voices: 2, enrolled: [] })
    diarizer.accept(session.samples)
    expect(diarizer.keep()).toBe(diarizer.keep())
  })
})
