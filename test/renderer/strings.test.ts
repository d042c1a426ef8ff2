import { describe, expect, test } from 'vitest'
import { troubleSchema } from '#contract/bridge/app.ts'
import { consentScopeSchema } from '#contract/model/consent.ts'
import { errorKinds, type ErrorCode } from '#contract/errors.ts'
import { appStrings, savedSentence, shortcutGroups, searchStrings, updateStrings } from '#renderer/strings/app.ts'
import { clientsStrings, scopeList, scopeWords, consentText, consentTextVersion } from '#renderer/strings/clients.ts'
import { authorisationStrings, coverageStrings } from '#renderer/strings/coverage.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { gateStrings, troubleWords } from '#renderer/strings/gate.ts'
import { briefWords, insightWords } from '#renderer/strings/insights.ts'
import { outboxLead, phaseWords } from '#renderer/strings/outbox.ts'
import { listOfNames, plural, pluralSentence } from '#renderer/strings/plural.ts'
import { settingsStrings, voiceStrings } from '#renderer/strings/settings.ts'
import { hoursStrings } from '#renderer/strings/week.ts'
import { uploadStrings } from '#renderer/strings/practice.ts'
import { todayStrings } from '#renderer/strings/today.ts'

const codes = Object.keys(errorKinds) as ErrorCode[]

/** Every string of a catalogue; sentences with a value are asked with plain ones. */
function sentencesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') return sentencesOf((value as (...values: unknown[]) => unknown)(2, 2, 2))
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(sentencesOf)
}

const catalogues = {
  appStrings,
  shortcutGroups,
  clientsStrings,
  coverageStrings,
  authorisationStrings,
  errorSentences,
  gateStrings,
  troubleWords,
  searchStrings,
  settingsStrings,
  todayStrings,
  uploadStrings,
  updateStrings,
  voiceStrings,
  hoursStrings,
  scopeWords,
  insightWords,
  briefWords,
}

describe('sentences', () => {
  test.each(codes)('%s says what happened, what is kept and what to do', (code) => {
    const { happened, kept, next } = errorSentences[code]
    for (const sentence of [happened, kept, next]) expect(sentence).toMatch(/^[A-Z].*\.$/)
    expect(happened).not.toContain(code)
  })

  test('there is a screen for every trouble with the records', () => {
    expect(Object.keys(troubleWords).toSorted()).toEqual([...troubleSchema.options].toSorted())
  })

  test.each(Object.entries(catalogues))('%s keeps the voice: no shouting, no blame, no "please"', (_, catalogue) => {
    for (const sentence of sentencesOf(catalogue)) {
      expect(sentence).not.toMatch(/!|\bplease\b|\boops\b|\bsuccessfully\b|\bpatients?\b|\busers?\b|\bsorry\b/i)
      expect(sentence).not.toMatch(/ {2}|undefined|NaN/)
    }
  })

  test('a count of one reads as one', () => {
    expect(plural(1, '# note', '# notes')).toBe('1 note')
    expect(plural(0, '# note', '# notes')).toBe('0 notes')
    expect(pluralSentence(2, '# note is left.', '# notes are left.')).toBe('Two notes are left.')
    expect(pluralSentence(11, '# note is left.', '# notes are left.')).toBe('11 notes are left.')
    expect(listOfNames(['Ada', 'Jonah', 'Sam'])).toBe('Ada, Jonah and Sam')
  })

  test('agreed scopes are told in one line, whichever they are', () => {
    expect(scopeList(['record', 'transcribe', 'draft'])).toBe('Recording, transcript and drafted note')
    for (const scope of consentScopeSchema.options) expect(scopeWords[scope]).not.toBe('')
  })
})

describe('what waits', () => {
  const nothing = { phase: 'saved', resumes_at: null, done: 0, total: 0, conflicts: 0, asked: 0, quota: null } as const
  const status = { waiting: 0, needs_you: 0, sending: false, service: 'embedded', reachable: true, ...nothing } as const
  test('"sent" is said only where there is somebody to send to', () => {
    expect(savedSentence({ ...status, waiting: 3 }).rest).not.toMatch(/sent|practice|offline/)
    expect(outboxLead({ ...status, waiting: 1 })).toBe('1 thing is being worked on, on this laptop.')
    const sending = { ...status, service: 'remote', phase: 'sending', waiting: 10, done: 2, total: 12 } as const
    expect(savedSentence(sending).rest).toBe('Syncing 3 of 12.')
    expect(outboxLead(sending)).toBe('10 changes are on their way to your practice.')
  })
  test('offline is told with what waits', () => {
    expect(savedSentence({ ...status, service: 'remote', phase: 'offline', reachable: false, waiting: 3 }).rest).toBe(
      'You are offline: 3 changes will be sent later.',
    )
  })
  test('what it waits for is said with its time, where it has one', () => {
    const remote = { ...status, service: 'remote', waiting: 3 } as const
    expect(savedSentence({ ...remote, phase: 'quota' }, '02:00').rest).toBe('3 changes wait for new calls, until 02:00.')
    expect(savedSentence({ ...remote, phase: 'backing_off' }, '14:03').rest).toBe('Trying again at 14:03.')
    expect(savedSentence({ ...remote, phase: 'paused' }, null).rest).toBe('Sending is paused. 3 changes wait.')
    expect(savedSentence({ ...remote, phase: 'needs_key' }, null).rest).toMatch(/key or a sign-in/)
    for (const phase of ['offline', 'backing_off', 'quota', 'needs_key', 'paused'] as const)
      expect(phaseWords({ phase, quota: null }, null)!.title).not.toBe('')
  })
  test('what needs a person comes first', () => {
    expect(savedSentence({ ...status, waiting: 3, needs_you: 1 }).rest).toBe('1 change needs you.')
    expect(savedSentence({ ...status, conflicts: 1 }).rest).toBe('1 change needs you.')
    expect(outboxLead({ ...status, needs_you: 3, asked: 2, conflicts: 1 })).toBe('2 changes need you.')
  })
})

describe('the text read aloud before consent', () => {
  test('says that the recording stays here only where it does', () => {
    expect(consentText({ speech_host: null, writer_host: null, hasPractice: false })).toContain('stays on this laptop')
    expect(consentText({ speech_host: null, writer_host: null, hasPractice: true })).not.toContain('stays on this laptop')
  })
  test('each wording is kept under a version of its own', () => {
    const places = [null, 'speech.example.org'].flatMap((speech_host) =>
      [null, 'models.example.org'].flatMap((writer_host) =>
        [true, false].map((hasPractice) => ({ speech_host, writer_host, hasPractice })),
      ),
    )
    expect(new Set(places.map(consentText)).size).toBe(8)
    expect(new Set(places.map(consentTextVersion)).size).toBe(8)
  })
  test('names the computers that sound and words are sent to', () => {
    const places = { speech_host: 'speech.example.org', writer_host: 'models.example.org', hasPractice: false }
    expect(consentText(places)).toContain('the sound is sent to speech.example.org')
    expect(consentText(places)).toContain('the written words are sent to models.example.org')
  })
})
