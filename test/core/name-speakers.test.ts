import { expect, test } from 'vitest'
import type { Speaker } from '#contract/model/transcript.ts'
import { nameSpeakers } from '#core/records/transcripts/speaker-facts.ts'

const therapist: Speaker = { id: 'voice-1', label: 'Therapist', role: 'therapist' }
const client: Speaker = { id: 'voice-2', label: 'Client', role: 'client' }
const unknown: Speaker = { id: 'voice-3', label: 'Speaker 3', role: 'unknown' }
const known = { therapist: 'Ada Quill', client: 'Maren Voss', participants: [] }
const labels = (speakers: Speaker[], participants: { name: string; role: 'client' | 'partner' }[] = []) =>
  nameSpeakers({ speakers }, { ...known, participants }).speakers.map(({ label }) => label)

test('who is known by their role gets their name, and nobody else', () => {
  expect(labels([therapist, client, unknown])).toEqual(['Ada Quill', 'Maren Voss', 'Speaker 3'])
  expect(
    labels(
      [client],
      [
        { name: 'Maren', role: 'client' },
        { name: 'Jonas', role: 'partner' },
      ],
    ),
  ).toEqual(['Maren'])
})

test('of two clients nobody says which is which', () => {
  const couple = [
    { name: 'Maren', role: 'client' as const },
    { name: 'Jonas', role: 'client' as const },
  ]
  expect(labels([therapist, client], couple)).toEqual(['Ada Quill', 'Client'])
  expect(labels([client, { ...client, id: 'voice-4', label: 'Other client' }])).toEqual(['Client', 'Other client'])
})
