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
    'Your practice server doesn’t report changes made elsewhere. Afterword checks the server’s lists from time to time, so these changes can take a while to appear.',
  )
  expect(broughtSentence({ ...everything, tells_changes: false, brought_here: ['clients'] })).toBe(
    'Your practice server doesn’t report changes made elsewhere. Afterword checks the server’s list of clients from time to time, so these changes can take a while to appear. Sessions, consents, transcripts, notes, and your own templates created or changed elsewhere don’t appear on this computer.',
  )
  expect(broughtSentence({ ...everything, brought_here: everything.brought_here.slice(0, 5) })).toBe(
    'Your own templates created or changed elsewhere don’t appear on this computer.',
  )
})

test('what the service shows no more is said to be here still', () => {
  const unlisted: ServiceOffers['unlisted'] = [
    { sort: 'clients', count: 1 },
    { sort: 'notes', count: 3 },
  ]
  expect(unlistedSentence({ ...everything, unlisted })).toBe(
    'The practice server no longer lists 1 client and 3 notes that are on this computer. They stay here unchanged. Changes made elsewhere don’t appear.',
  )
})
