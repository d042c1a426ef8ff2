import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Segment, Speaker, Transcript } from '#contract/model/transcript.ts'
import { applyFacts, factsAfter, type SpeakerFact } from '#core/records/transcripts/speaker-facts.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { clientWithSession, coreKit, createProfile, type OpenCore } from './core-kit.ts'
import { format, recordOf } from './recordings/recording-kit.ts'

type Body = Pick<Transcript, 'speakers' | 'segments'>

const wordMs = 400
const people: readonly Speaker[] = [
  { id: 'therapist', label: 'Ada Quill', role: 'therapist' },
  { id: 'participant-1', label: 'Maren', role: 'client' },
  { id: 'added-3', label: 'Jonas', role: 'other' },
]
const words = 60

/** The same recording as a run might write it: other turns, other voices, other ids for them. */
const aRun = fc
  .record({
    cuts: fc.uniqueArray(fc.integer({ min: 1, max: words - 1 }), { maxLength: 20 }),
    voices: fc.array(fc.nat(3), { minLength: 21, maxLength: 21 }),
    named: fc.option(fc.nat(3)),
  })
  .map(({ cuts, voices, named }): Body => {
    const edges = [0, ...cuts.toSorted((left, right) => left - right), words]
    const segments = edges.slice(0, -1).map((from, index): Segment => {
      const own = Array.from({ length: edges[index + 1]! - from }, (_, at) => from + at)
      return {
        id: `s${index + 1}`,
        speaker_id: voices[index] === 3 ? null : `voice-${voices[index]! + 1}`,
        start_ms: from * wordMs,
        end_ms: edges[index + 1]! * wordMs,
        text: own.map((word) => `w${word}`).join(' '),
        confidence: null,
        words: own.map((word) => ({ text: `w${word}`, start_ms: word * wordMs, end_ms: (word + 1) * wordMs, confidence: null })),
        edited: false,
      }
    })
    const used = [...new Set(segments.flatMap(({ speaker_id }) => speaker_id ?? []))]
    const speakers = used.map((id, index): Speaker =>
      index === named ? { id, label: 'Therapist', role: 'therapist' } : { id, label: `Speaker ${index + 1}`, role: 'unknown' },
    )
    return { speakers, segments }
  })

const aCorrection = fc.record({ from: fc.nat(words), length: fc.integer({ min: 1, max: 8 }), person: fc.nat(2) })

function correct(body: Body, { from, length, person }: { from: number; length: number; person: number }) {
  const at = from % body.segments.length
  const chosen = new Set(body.segments.slice(at, at + length).map(({ id }) => id))
  const speaker = people[person]!
  const known = body.speakers.find((other) => personOf(other) === personOf(speaker)) ?? speaker
  const after: Body = {
    speakers: body.speakers.includes(known) ? body.speakers : [...body.speakers, known],
    segments: body.segments.map((segment) => (chosen.has(segment.id) ? { ...segment, speaker_id: known.id } : segment)),
  }
  const said = body.segments.filter(({ id }) => chosen.has(id)).flatMap((segment) => segment.words!.map(({ text }) => text))
  return { after, said, person: personOf(speaker) }
}

const personOf = ({ role, label }: Speaker): string => (role === 'therapist' ? role : label)

function speakerOfWords(body: Body): Map<string, string | null> {
  return new Map(
    body.segments.flatMap((segment) => {
      const speaker = body.speakers.find(({ id }) => id === segment.speaker_id)
      return segment.words!.map(({ text }) => [text, speaker === undefined ? null : personOf(speaker)] as const)
    }),
  )
}

test('a correction is never undone by a re-run, however its turns and voices fall', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(aRun, fc.array(aCorrection, { maxLength: 6 })), { minLength: 1, maxLength: 5 }),
      aRun,
      (runs, last) => {
        let facts: SpeakerFact[] = []
        const said = new Map<string, string>()
        const expectKept = (body: Body): void => {
          const speakers = speakerOfWords(body)
          for (const [word, person] of said) expect(speakers.get(word)).toBe(person)
        }
        for (const [run, corrections] of runs) {
          let body = applyFacts(run, facts)
          expectKept(body)
          for (const correction of corrections) {
            const { after, said: corrected, person } = correct(body, correction)
            facts = factsAfter(facts, body, after)
            // What stood there already was not said by anybody, and a new run may hear it otherwise.
            const before = speakerOfWords(body)
            for (const word of corrected) if (said.has(word) || before.get(word) !== person) said.set(word, person)
            body = after
          }
        }
        expectKept(applyFacts(last, facts))
      },
    ),
    { numRuns: 300 },
  )
})

test('applied twice the facts say the same, and no word is lost', () => {
  fc.assert(
    fc.property(aRun, fc.array(aCorrection, { minLength: 1, maxLength: 4 }), aRun, (run, corrections, next) => {
      let body = run
      let facts: SpeakerFact[] = []
      for (const correction of corrections) {
        const { after } = correct(body, correction)
        facts = factsAfter(facts, body, after)
        body = after
      }
      const once = applyFacts(next, facts)
      expect(once.segments.map(({ text }) => text).join(' ')).toBe(next.segments.map(({ text }) => text).join(' '))
      expect(new Set(once.segments.map(({ id }) => id)).size).toBe(once.segments.length)
      expect(speakerOfWords(applyFacts(once, facts))).toEqual(speakerOfWords(once))
    }),
  )
})

test('who a voice is holds for all of it in the next run, and what was taken back is said of nobody', () => {
  const segment = (number: number, speaker_id: string | null): Segment => {
    const times = { start_ms: number * 1000, end_ms: number * 1000 + 900 }
    return { id: `s${number}`, speaker_id, ...times, text: 'Well.', confidence: null, edited: false }
  }
  const unknown: Speaker = { id: 'voice-1', label: 'Speaker 1', role: 'unknown' }
  const maren = people[1]!
  const run: Body = { speakers: [unknown], segments: [segment(0, 'voice-1'), segment(1, 'voice-1'), segment(2, null)] }
  const named: Body = {
    speakers: [maren],
    segments: run.segments.map((each) => (each.speaker_id === null ? each : { ...each, speaker_id: maren.id })),
  }
  const facts = factsAfter([], run, named)
  const next: Body = {
    speakers: [{ ...unknown, id: 'voice-2' }],
    segments: [segment(0, 'voice-2'), segment(1, 'voice-2'), segment(5, 'voice-2')],
  }
  expect(applyFacts(next, facts).segments.map(({ speaker_id }) => speaker_id)).toEqual(Array(3).fill(maren.id))
  expect(factsAfter(facts, named, run)).toEqual([])
})

async function record(kit: ReturnType<typeof coreKit>, open: OpenCore, session_id: string): Promise<void> {
  const { recording_id } = await open.call('recordings.start', { session_id, window_id: 'window-1', format, device_label: 'Mic' })
  for (let sequence = 0; sequence < 10; sequence += 1) kit.append.append({ recording_id, ...recordOf(sequence) })
  await open.call('recordings.finish', { recording_id })
}

test('who speaks stays as the therapist said when the recording is written out again, for the service too', async () => {
  const answer = {
    task: 'transcribe',
    language: 'english',
    duration: 2,
    text: 'How are you? Fine.',
    segments: [
      { id: 0, start: 0, end: 1, text: ' How are you?', avg_logprob: -0.2, no_speech_prob: 0.01, compression_ratio: 1 },
      { id: 1, start: 1, end: 2, text: ' Fine.', avg_logprob: -0.2, no_speech_prob: 0.01, compression_ratio: 1 },
    ],
  }
  const step = { status: 200, body: JSON.stringify(answer) }
  const speech = await startScriptedSpeech([step, step])
  const kit = coreKit()
  onTestFinished(async () => {
    await speech.close()
    kit.remove()
  })
  const open = await kit.open()
  await createProfile(open)
  await open.call('settings.update', { speech_engine: 'server', speech_address: speech.address })
  const { session } = await clientWithSession(open)
  const session_id = session.id
  await record(kit, open, session_id)
  await open.settled()
  const { transcript: first } = await open.call('transcripts.get', { session_id })
  const speakers = [people[0]!, people[1]!]
  const segments = first!.segments.map((segment, index) => ({ ...segment, speaker_id: speakers[index]!.id }))
  await open.call('transcripts.save', { session_id, version: first!.version, speakers, segments })
  await open.settled()
  await open.call('transcripts.request', { session_id })
  await open.settled()
  const { transcript: second, work } = await open.call('transcripts.get', { session_id })
  expect(second!.id).not.toBe(first!.id)
  expect(work.error).toBeNull()
  expect(second!.segments.map(({ speaker_id }) => speaker_id)).toEqual(['therapist', 'participant-1'])
  expect(second!.speakers).toEqual(speakers)
  expect(await open.call('outbox.list', {})).toEqual([])
  await open.core.close()
})
