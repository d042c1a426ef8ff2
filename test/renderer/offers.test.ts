import { expect, test } from 'vitest'
import { recordSorts, type ServiceOffers } from '#contract/bridge/moving.ts'
import { broughtSentence, unlistedSentence } from '#renderer/strings/practice.ts'

const everything: ServiceOffers = {
  service: 'remote',
  is_known: true,
  kept_there: [...recordSorts],
  waiting: [],
  brought_here: ['clients', 'sessions', 'consents', 'transcripts', 'notes', 'templates'],
  tells_changes: true,
  unlisted: [],
}

test('of a service that tells of every change nothing is said', () => {
  expect(broughtSentence(everything)).toBeNull()
  expect(unlistedSentence(everything)).toBeNull()
  const here: ServiceOffers = { ...everything, service: 'embedded', brought_here: [], tells_changes: false }
  expect(broughtSentence(here)).toBeNull()
  expect(broughtSentence({ ...here, service: 'remote', is_known: false })).toBeNull()
})

test('a service that does not say what changed is said to, and what does not come from it', () => {
  expect(broughtSentence({ ...everything, tells_changes: false })).toBe(
    'Your practice’s service does not say what was changed elsewhere. This laptop looks through its lists now and then, so such changes come with a delay.',
  )
  expect(broughtSentence({ ...everything, tells_changes: false, brought_here: ['clients'] })).toBe(
    'Your practice’s service does not say what was changed elsewhere. This laptop looks through its list of clients now and then, so such changes come with a delay. Sessions, consents, transcripts, notes, and your own forms that were made or changed elsewhere do not come to this laptop.',
  )
  expect(broughtSentence({ ...everything, brought_here: everything.brought_here.slice(0, 5) })).toBe(
    'Your own forms that were made or changed elsewhere do not come to this laptop.',
  )
})

test('what the service shows no more is said to be here still', () => {
  const unlisted: ServiceOffers['unlisted'] = [
    { sort: 'clients', count: 1 },
    { sort: 'notes', count: 3 },
  ]
  expect(unlistedSentence({ ...everything, unlisted })).toBe(
    'Your practice’s service no longer shows you 1 client and 3 notes that are on this laptop. They stay here as they are; changes made elsewhere do not come.',
  )
})
