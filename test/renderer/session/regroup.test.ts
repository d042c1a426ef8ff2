import { describe, expect, test } from 'vitest'
import { giveTurns, mergeVoice, soundingLike, swapVoices, takeBack } from '#renderer/features/session/transcript/speakers.ts'
import type { Segment, Speaker } from '#contract/model/transcript.ts'

const segment = (id: string, speaker_id: string | null): Segment => ({
  id,
  speaker_id,
  start_ms: null,
  end_ms: null,
  text: `words of ${id}`,
  confidence: null,
  edited: false,
})
const therapist: Speaker = { id: 'therapist', label: 'Dana Reyes', role: 'therapist' }
const maren: Speaker = { id: 'participant-1', label: 'Maren Voss', role: 'client' }
const unknown: Speaker = { id: 'voice-1', label: 'Speaker 1', role: 'unknown' }
const who = (body: { segments: Segment[] }) => body.segments.map(({ speaker_id }) => speaker_id)

const mixed = {
  speakers: [therapist, unknown],
  segments: [segment('a', 'therapist'), segment('b', 'voice-1'), segment('c', null), segment('d', 'voice-1')],
}

describe('putting voices right', () => {
  test('one line of a voice without a name names every line of it', () => {
    const { body, changed } = giveTurns(mixed, new Set(['b']), maren)
    expect(who(body)).toEqual(['therapist', 'participant-1', null, 'participant-1'])
    expect(changed).toBe(2)
    expect(body.speakers).toEqual([therapist, maren])
  })

  test('one line of a voice that has a name, or of none, is that line alone', () => {
    expect(who(giveTurns(mixed, new Set(['a']), maren).body)).toEqual(['participant-1', 'voice-1', null, 'voice-1'])
    expect(who(giveTurns(mixed, new Set(['c']), maren).body)).toEqual(['therapist', 'voice-1', 'participant-1', 'voice-1'])
  })

  test('several chosen lines are those lines, whatever their voices were', () => {
    expect(who(giveTurns(mixed, new Set(['a', 'b']), maren).body)).toEqual(['participant-1', 'participant-1', null, 'voice-1'])
  })

  test('two voices of one person become one', () => {
    expect(who(mergeVoice(mixed, 'voice-1', therapist).body)).toEqual(['therapist', 'therapist', null, 'therapist'])
  })

  test('two voices with each other’s names are swapped, and swapped again they are as they were', () => {
    const swapped = swapVoices(mixed, therapist, maren)
    expect(who(swapped.body)).toEqual(['participant-1', 'voice-1', null, 'voice-1'])
    expect(who(swapVoices(swapped.body, therapist, maren).body)).toEqual(who(mixed))
  })

  test('of a voice that two people share, the turns that sound alike go together', () => {
    const heard = { a: '1.1', b: '1.2', c: '1.1', d: '1.2' } as Record<string, string>
    const shared = {
      speakers: [therapist, maren],
      segments: ['a', 'b', 'c', 'd'].map((id) => ({
        ...segment(id, id === 'd' ? 'participant-1' : 'therapist'),
        voice: heard[id]!,
      })),
    }
    expect(soundingLike(shared, 'a')).toEqual(['a', 'c'])
    // The other one that sounds like it is somebody else's by now.
    expect(soundingLike(shared, 'b')).toEqual(['b'])
    const one = { ...shared, segments: shared.segments.map((each) => ({ ...each, speaker_id: 'therapist', voice: '1.1' })) }
    expect(soundingLike(one, 'a')).toEqual(['a'])
    expect(soundingLike(mixed, 'a')).toEqual(['a'])
  })

  test('taken back, what was said since stays', () => {
    const { body: after } = mergeVoice(mixed, 'voice-1', maren)
    const later = giveTurns(after, new Set(['d']), therapist).body
    const back = takeBack(later, mixed, after)
    expect(who(back)).toEqual(['therapist', 'voice-1', null, 'therapist'])
    expect(back.speakers).toContainEqual(unknown)
  })
})
