import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, test } from 'vitest'
import { troubleSchema } from '#contract/bridge/app.ts'
import { consentScopeSchema } from '#contract/model/consent.ts'
import { textAskingToKeep } from '#domain/consent.ts'
import { errorKinds, type ErrorCode } from '#contract/errors.ts'
import { savedSentence } from '#renderer/strings/app.ts'
import { clientsStrings, scopeList, scopeWords, consentTextVersion } from '#renderer/strings/clients.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { troubleWords } from '#renderer/strings/gate.ts'
import { listOfNames } from '#renderer/strings/lists.ts'
import { languages } from '#renderer/strings/locale.ts'
import { messages, messagesIn } from '#renderer/strings/messages.ts'
import { syncLead, phaseWords } from '#renderer/strings/sync.ts'
import { todayStrings } from '#renderer/strings/today.ts'
import { repository } from '#test/support/machine.ts'
import { argumentsIn, messagesOf } from './catalogue.ts'

const codes = Object.keys(errorKinds) as ErrorCode[]

const folder = join(repository, 'src', 'renderer')

const catalogue = JSON.parse(readFileSync(join(folder, 'strings', 'en-US.json'), 'utf8')) as Record<string, object>

const withoutArguments = (text: string): string => text.replaceAll(/\{\w+(?=[,}])/g, '{')

/** Words that a therapist would not expect: archaic ones, earlier names of features, and British spellings. */
const archaic =
  'anew|mend(s|ed|ing)?|meanwhile|who(m)?ever|(no|some|any)body|by (itself|themselves)|of its own(?! \\w)|(go|goes|going) on|' +
  'stands?|lies|struck|eras(e|es|ed|ing|ure)|told|waited for|bears? (it|them) out|(brought|bring|bringing) (in|one in|back)|' +
  'written (down|out)|put together|fetch(es|ed|ing)?|tick(s|ed)?'
const replaced =
  'outbox|laptops?|figures|draft writer|speech engine|clash(es)?|forms?|coverage|approvals?|in the room|fingerprint'
const british =
  'licences?|\\w*(avi|col|fav|hon)our\\w*|cancell(ed|ing)|\\w*(authori|organi|recogni|summari|synchroni)s\\w*|judgement|' +
  'e-mail|whilst|afterwards|towards|centre|programme|catalogue'
const refused = new RegExp(`(?<![\\w’-])(${archaic}|${replaced}|${british})(?![\\w’])`, 'i')

describe.each(Object.keys(catalogue))('messages of %s', (section) => {
  const messages = messagesOf({ [section]: catalogue[section] }, '')

  test('keep the voice: no shouting, no blame, no "please"', () => {
    for (const { text } of messages) {
      expect(text).not.toMatch(/!|\bplease\b|\boops\b|\bsuccessfully\b|\bpatients?\b|\busers?\b|\bsorry\b/i)
      expect(text).not.toMatch(/ {2}|undefined|NaN/)
    }
  })

  test('use plain American English and the standard product terms', () => {
    const refusals = messages.filter(({ text }) => refused.test(withoutArguments(text)))
    expect(refusals.map(({ path, text }) => `${path}: ${text}`)).toEqual([])
  })

  test('use the arguments that their examples name, and no others', () => {
    for (const { path, text, examples } of messages) {
      if (examples === undefined) expect(text, path).not.toMatch(/[{}]/)
      const given = new Set(Object.keys(examples ?? {}))
      const used = argumentsIn(new IntlMessageFormat(text, 'en-US', undefined, { ignoreTag: true }).getAst()).map((name) =>
        name.replace(/^(has|count|spelled|joined)_/, ''),
      )
      expect(
        used.filter((name) => !given.has(name)),
        path,
      ).toEqual([])
    }
  })
})

test('no other file of the window holds a sentence', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /^(?!strings\b).*\.tsx?$/.test(file))
  const sentence =
    /^(?!\s*(?:\*|\/\*|\/\/)).*(?<!Error\()(['`"])[A-Z][a-z’]+( [a-z’]+)+[.…?]?\1|^\s*<.*>[A-Z][a-z’]+( [a-z’]+)+[.…?]?</
  const found = files.flatMap((file) => {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n')
    return lines.filter((line) => sentence.test(line)).map((line) => `${file}: ${line.trim()}`)
  })
  expect(found).toEqual([])
})

describe('sentences', () => {
  test.each(codes)('%s says what happened, what is kept and what to do', (code) => {
    const { happened, kept, next } = errorSentences[code]
    for (const sentence of [happened, kept, next]) expect(sentence).toMatch(/^[A-Z].*\.$/)
    expect(happened).not.toContain(code)
  })

  test('there are words for every code and for no other', () => {
    expect(Object.keys(errorSentences).toSorted()).toEqual(codes.toSorted())
  })

  test('there is a screen for every trouble with the records', () => {
    expect(Object.keys(troubleWords).toSorted()).toEqual([...troubleSchema.options].toSorted())
  })

  test('a count of one reads as one', () => {
    const { unsigned } = clientsStrings.row
    expect(unsigned({ count: 1 })).toBe('1 note to finish')
    expect(unsigned({ count: 0 })).toBe('0 notes to finish')
    expect(todayStrings.lead.toSign({ count: 2 })).toBe('You have 2 notes to finish.')
    expect(todayStrings.lead.toSign({ count: 11 })).toBe('You have 11 notes to finish.')
    expect(listOfNames(['Ada', 'Jonah', 'Sam'])).toBe('Ada, Jonah, and Sam')
  })

  test('agreed scopes are told in one line, whichever they are', () => {
    expect(scopeList(['record', 'transcribe', 'draft'])).toBe('Recording, transcript, and drafted note')
    for (const scope of consentScopeSchema.options) expect(scopeWords[scope]).not.toBe('')
  })
})

describe('what waits', () => {
  const nothing = { phase: 'saved', resumes_at: null, done: 0, total: 0, conflicts: 0, asked: 0, quota: null } as const
  const status = { waiting: 0, needs_you: 0, sending: false, service: 'embedded', reachable: true, ...nothing } as const
  test('"sent" is said only where there is somebody to send to', () => {
    expect(savedSentence({ ...status, waiting: 3 }).rest).not.toMatch(/sent|practice|offline/)
    expect(syncLead({ ...status, waiting: 1 })).toBe('1 task in progress on this computer.')
    const sending = { ...status, service: 'remote', phase: 'sending', waiting: 10, done: 2, total: 12 } as const
    expect(savedSentence(sending).rest).toBe('Syncing 3 of 12.')
    expect(syncLead(sending)).toBe('Sending 10 changes to your practice.')
  })
  test('offline is told with what waits', () => {
    expect(savedSentence({ ...status, service: 'remote', phase: 'offline', reachable: false, waiting: 3 }).rest).toBe(
      'You’re offline. 3 changes will sync when you’re back online.',
    )
  })
  test('what it waits for is said with its time, where it has one', () => {
    const remote = { ...status, service: 'remote', waiting: 3 } as const
    expect(savedSentence({ ...remote, phase: 'quota' }, '02:00').rest).toBe(
      '3 changes are waiting for the request limit to reset at 02:00.',
    )
    expect(savedSentence({ ...remote, phase: 'backing_off' }, '14:03').rest).toBe('Trying again at 14:03.')
    expect(savedSentence({ ...remote, phase: 'paused' }, null).rest).toBe('Sync is paused. 3 changes are waiting.')
    expect(savedSentence({ ...remote, phase: 'needs_key' }, null).rest).toMatch(/key or a sign-in/)
    for (const phase of ['offline', 'backing_off', 'quota', 'needs_key', 'paused'] as const)
      expect(phaseWords({ phase, quota: null }, null)!.title).not.toBe('')
  })
  test('what needs a person comes first', () => {
    expect(savedSentence({ ...status, waiting: 3, needs_you: 1 }).rest).toBe('1 change needs your decision.')
    expect(savedSentence({ ...status, conflicts: 1 }).rest).toBe('1 change needs your decision.')
    expect(syncLead({ ...status, needs_you: 3, asked: 2, conflicts: 1 })).toBe('2 changes need your decision.')
  })
})

const consentText = messages.consent.text
const inSpanish = await messagesIn('es')

describe('the text read aloud before consent', () => {
  test('says that the recording stays here only where it does', () => {
    expect(consentText({ speech_host: null, writer_host: null, hasPractice: false })).toContain('stays on this computer')
    expect(consentText({ speech_host: null, writer_host: null, hasPractice: true })).not.toContain('stays on this computer')
  })
  test('each wording is kept under a version of its own', () => {
    const places = [null, 'speech.example.org'].flatMap((speech_host) =>
      [null, 'models.example.org'].flatMap((writer_host) =>
        [true, false].map((hasPractice) => ({ speech_host, writer_host, hasPractice })),
      ),
    )
    const inBoth = places.flatMap((each) => languages.map((read) => [each, read] as const))
    expect(new Set(places.map(consentText)).size).toBe(8)
    expect(new Set(places.map(inSpanish.consent.text)).size).toBe(8)
    expect(new Set(inBoth.map(([each, read]) => consentTextVersion(each, read))).size).toBe(16)
  })
  test('names the computers that sound and words are sent to', () => {
    const places = { speech_host: 'speech.example.org', writer_host: 'models.example.org', hasPractice: false }
    expect(consentText(places)).toContain('the audio is sent to speech.example.org')
    expect(consentText(places)).toContain('the transcript is sent to models.example.org')
  })
  test('each version that asks to keep the audio counts as such, and one for this computer names it', () => {
    const places = { speech_host: null, writer_host: null, hasPractice: false }
    for (const read of languages) {
      const version = consentTextVersion(places, read)
      expect(version.split(' ')[0]).toBe(textAskingToKeep)
      expect(version.split(' ')).toContain('laptop')
    }
    expect(consentTextVersion(places, 'en')).toBe('read-aloud-2026-2 laptop')
  })
  test('says the same in Spanish, and asks whether the recording may be kept', () => {
    const here = inSpanish.consent.text({ speech_host: null, writer_host: null, hasPractice: false })
    expect(here).toContain('permanece en esta computadora, cifrada')
    expect(here).toContain('elimino la grabación de esta computadora, a menos que usted acepte que la conserve')
    const sent = inSpanish.consent.text({
      speech_host: 'speech.example.org',
      writer_host: 'models.example.org',
      hasPractice: true,
    })
    expect(sent).not.toContain('permanece en esta computadora')
    expect(sent).toContain('el audio se envía a speech.example.org')
    expect(sent).toContain('la transcripción se envía a models.example.org')
  })
})
