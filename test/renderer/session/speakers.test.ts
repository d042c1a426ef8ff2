import { unknownVoices } from '#domain/speaker-roles.ts'
import { describe, expect, test } from 'vitest'
import {
  giveVoice,
  nameVoice,
  nextWithoutVoice,
  runOfUnknown,
  speakerTone,
  spokenTime,
  voiceChoices,
} from '#renderer/features/session/transcript/speakers.ts'
import type { Segment, Speaker } from '#contract/model/transcript.ts'

const segment = (
  id: string,
  speaker_id: string | null,
  start_ms: number | null = null,
  end_ms: number | null = null,
): Segment => ({
  id,
  speaker_id,
  start_ms,
  end_ms,
  text: `words of ${id}`,
  confidence: null,
  edited: false,
})
const therapist: Speaker = { id: 'therapist', label: 'Dana Reyes', role: 'therapist' }
const maren = { name: 'Maren Voss', role: 'client' as const }
const body = { speakers: [] as Speaker[], segments: [segment('a', null), segment('b', null), segment('c', null)] }

describe('giving voices to turns', () => {
  test('key 1 is the therapist, 2 the client, then the others in the room', () => {
    const voices = voiceChoices([], 'Dana Reyes', [maren, { name: 'Jonah', role: 'partner' }])
    expect(voices.map((voice) => [voice.label, voice.role])).toEqual([
      ['Dana Reyes', 'therapist'],
      ['Maren Voss', 'client'],
      ['Jonah', 'other'],
    ])
  })

  test('a speaker the transcript knows already is used again, not made twice', () => {
    const known: Speaker[] = [
      { id: 's2', label: 'Maren', role: 'client' },
      { id: 's1', label: 'Me', role: 'therapist' },
    ]
    expect(voiceChoices(known, 'Dana Reyes', [maren]).map((voice) => voice.id)).toEqual(['s1', 's2'])
  })

  test('a voice given to one turn leaves the others alone', () => {
    const after = giveVoice(body, new Set(['b']), therapist)
    expect(after.segments.map((turn) => turn.speaker_id)).toEqual([null, 'therapist', null])
    expect(after.speakers).toEqual([therapist])
    expect(unknownVoices(after)).toBe(2)
    expect(body.speakers).toEqual([])
  })

  test('naming an unknown voice moves every turn of it and forgets the unknown one', () => {
    const unknown: Speaker = { id: 's1', label: 'Speaker 1', role: 'unknown' }
    const heard = { speakers: [unknown], segments: [segment('a', 's1'), segment('b', null), segment('c', 's1')] }
    const after = nameVoice(heard, 's1', therapist)
    expect(after.segments.map((turn) => turn.speaker_id)).toEqual(['therapist', null, 'therapist'])
    expect(after.speakers).toEqual([therapist])
  })

  test('the next turn without a voice is found, going round once', () => {
    const some = giveVoice(body, new Set(['b']), therapist)
    expect(nextWithoutVoice(some, 0)).toBe(2)
    expect(nextWithoutVoice(some, 2)).toBe(0)
    expect(nextWithoutVoice(giveVoice(some, new Set(['a', 'c']), therapist), 0)).toBe(-1)
  })

  test('a run ends before the first turn that has a voice', () => {
    expect(runOfUnknown(giveVoice(body, new Set(['c']), therapist), 0)).toEqual(['a', 'b'])
  })

  test('spoken time is unknown where there are no times, never 0', () => {
    expect(spokenTime(body)).toBeNull()
    const timed = { speakers: [therapist], segments: [segment('a', 'therapist', 0, 1500), segment('b', 'therapist', 2000, 2500)] }
    expect(spokenTime(timed)?.get('therapist')).toBe(2000)
  })

  test('the client keeps the second colour even if a partner spoke first', () => {
    const partner: Speaker = { id: 'p', label: 'Jonah', role: 'other' }
    const client: Speaker = { id: 'c', label: 'Ada', role: 'client' }
    const three = { speakers: [therapist, partner, client], segments: [] }
    expect([therapist, client, partner].map((speaker) => speakerTone(three, speaker))).toEqual([1, 2, 3])
  })
})
