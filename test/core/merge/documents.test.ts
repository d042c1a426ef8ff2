import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Note } from '#contract/model/note.ts'
import { clientWithSession, dialogue } from '../core-kit.ts'
import { looked } from '../looked.ts'
import { practice, type TestLaptop } from './laptops.ts'

let office: Awaited<ReturnType<typeof practice>>
let one: TestLaptop
let two: TestLaptop
beforeAll(async () => {
  office = await practice()
  ;[one, two] = [await office.laptop(), await office.laptop()]
})
afterAll(() => office.close())

const noteOf = async (laptop: TestLaptop, session_id: string) => (await laptop.call('notes.get', { session_id })).note
const transcriptOf = async (laptop: TestLaptop, session_id: string) =>
  (await laptop.call('transcripts.get', { session_id })).transcript!

/** A session with a transcript and a draft that both laptops have. */
async function shared(name: string) {
  for (const laptop of [one, two]) laptop.isOnline = true
  const { session } = await clientWithSession(one, name)
  const content = new TextEncoder().encode(dialogue)
  await one.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await one.call('notes.draft', { session_id: session.id, template: 'soap' })
  await one.until(async () => (await noteOf(one, session.id)) !== null)
  await one.sent()
  const has = async (): Promise<boolean> => {
    const known = await two.call('sessions.get', { id: session.id }).catch(() => null)
    return known !== null && (await noteOf(two, session.id)) !== null && (await transcriptOf(two, session.id)) !== null
  }
  await two.until(has)
  return session.id
}

/** Puts these words into the first statement of the draft, and looks at all that needs a look. */
async function write(laptop: TestLaptop, session_id: string, text: string) {
  const note = (await noteOf(laptop, session_id))!
  const { sections, omissions } = looked(note)
  const [first, ...rest] = sections
  const [statement, ...others] = first!.statements
  const words = { ...first!, statements: [{ ...statement!, text, support: 'clinician_entered' as const }, ...others] }
  return laptop.call('notes.save', { id: note.id, version: note.version, sections: [words, ...rest], omissions })
}
const firstWords = (note: { sections: readonly { statements: readonly { text: string }[] }[] } | null) =>
  note?.sections[0]?.statements[0]?.text

async function resolve(laptop: TestLaptop, side: 'mine' | 'theirs') {
  const { id, version } = await laptop.conflict('document')
  await laptop.call('conflicts.resolve', { id, version, choice: { kind: 'document', side } })
}

describe('a draft', () => {
  test('written in on both laptops is never put together: both are kept whole until somebody decides', async () => {
    const session = await shared('Two Drafts')
    two.isOnline = false
    await write(one, session, 'Words of the first.')
    await write(two, session, 'Words of the second.')
    await one.sent()
    two.isOnline = true
    await two.until(async () => (await two.conflicts()).length > 0)
    const conflict = await two.conflict('document')
    if (conflict.record !== 'note') throw new Error('not about the note')
    expect([firstWords(conflict.mine), firstWords(conflict.theirs)]).toEqual(['Words of the second.', 'Words of the first.'])
    expect(await two.call('conflicts.who', { id: conflict.id })).toEqual({ who: 'you', name: null })
    const undecided = (await noteOf(two, session))!
    expect(firstWords(undecided)).toBe('Words of the second.')
    const { id, version } = undecided
    await expect(two.call('notes.sign', { id, version })).rejects.toMatchObject({ code: 'conflict' })

    await two.call('outbox.retry', {})
    await two.sent()
    expect(firstWords(await noteOf(one, session))).toBe('Words of the first.')

    await resolve(two, 'mine')
    await one.until(async () => firstWords(await noteOf(one, session)) === 'Words of the second.')
    expect(await two.conflicts()).toEqual([])
    expect(await two.call('outbox.list', {})).toEqual([])
  })

  test('written together out of both is the draft on both laptops, and no sentence in it has a source it did not have', async () => {
    const session = await shared('Together')
    two.isOnline = false
    await write(one, session, 'Words of the first.')
    await write(two, session, 'Words of the second.')
    await one.sent()
    two.isOnline = true
    await two.until(async () => (await two.conflicts()).length > 0)
    const { id, version, mine, theirs } = (await two.conflict('document')) as never as { id: string; version: number } & Record<
      'mine' | 'theirs',
      Note
    >
    const [first, ...rest] = mine.sections
    const taken = { ...theirs.sections[0]!.statements[0]!, id: 'taken' }
    const typed = { ...taken, id: 'typed', text: 'And a word of both.', evidence: [], origin: 'person' as const }
    const sections = [{ ...first!, statements: [...first!.statements, taken, typed] }, ...rest]
    const together = { kind: 'together', from: 'mine', sections } as const
    const claims = [{ ...first!, statements: [{ ...typed, support: 'stated' as const }] }, ...rest]
    const claimed = two.call('conflicts.resolve', { id, version, choice: { ...together, sections: claims } })
    await expect(claimed).rejects.toMatchObject({ code: 'validation-failed' })

    await two.call('conflicts.resolve', { id, version, choice: together })
    await one.until(async () => (await noteOf(one, session))!.sections[0]!.statements.at(-1)?.id === 'typed')
    for (const laptop of [one, two]) expect((await noteOf(laptop, session))!.sections).toEqual(sections)
    await two.sent()
    for (const laptop of [one, two]) expect(await laptop.conflicts()).toEqual([])
    const [decided] = await two.call('conflicts.list', { decided: true })
    expect(decided).toMatchObject({ decided: {}, written: sections })
  })

  test('nobody wrote in here is replaced by the signed one; what was written is kept, and the signature is not touched', async () => {
    const [clean, edited] = [await shared('Clean Draft'), await shared('Edited Draft')]
    two.isOnline = false
    await write(two, edited, 'Not sent in time.')
    for (const session of [clean, edited]) {
      const { id, version } = await write(one, session, 'Words that were signed.')
      await one.call('notes.sign', { id, version })
    }
    await one.sent()
    two.isOnline = true
    const signed = (await noteOf(one, edited))!
    for (const session of [clean, edited]) {
      await two.until(async () => (await noteOf(two, session))!.signature !== null)
      expect((await noteOf(two, session))!.signature).toEqual((await noteOf(one, session))!.signature)
    }
    const conflict = await two.conflict('document')
    expect(conflict).toMatchObject({ record: 'note', session_id: edited, choices: ['theirs'] })
    expect([firstWords(conflict.mine as never), firstWords(conflict.theirs as never)]).toEqual([
      'Not sent in time.',
      'Words that were signed.',
    ])
    await expect(resolve(two, 'mine')).rejects.toMatchObject({ code: 'already-signed' })
    await resolve(two, 'theirs')
    await two.sent()
    expect((await noteOf(two, edited))!.signature).toEqual(signed.signature)
    expect(await two.call('notes.verify', { id: signed.id })).toEqual({ intact: true })
    expect(await two.call('outbox.list', {})).toEqual([])
  })

  test('that was signed here stays signed, though the other laptop went on writing in it', async () => {
    const session = await shared('Signed Here')
    two.isOnline = false
    const { id, version } = await write(two, session, 'Signed on the second.')
    const { signature } = await two.call('notes.sign', { id, version })
    await write(one, session, 'Still a draft on the first.')
    await one.sent()
    two.isOnline = true
    await two.until(async () => (await two.conflicts()).length > 0)
    expect((await two.conflict('document')).choices).toEqual(['mine'])
    await resolve(two, 'mine')
    await one.until(async () => (await noteOf(one, session))!.signature !== null)
    for (const laptop of [one, two]) {
      expect((await noteOf(laptop, session))!.signature).toEqual(signature)
      expect(await laptop.call('notes.verify', { id })).toEqual({ intact: true })
    }
  })
})

test('addenda of both laptops are all there, chained, on both', async () => {
  const session = await shared('Two Addenda')
  const { id, version } = await write(one, session, 'Signed before the addenda.')
  await one.call('notes.sign', { id, version })
  await two.until(async () => (await noteOf(two, session))!.signature !== null)
  two.isOnline = false
  await one.call('notes.addAddendum', { id, text: 'From the first.', reason: 'Addition' })
  await two.call('notes.addAddendum', { id, text: 'From the second.', reason: 'Addition' })
  await two.call('notes.addAddendum', { id, text: 'Once more from the second.', reason: 'Addition' })
  await one.sent()
  two.isOnline = true
  await one.until(async () => (await noteOf(one, session))!.addenda.length === 3)
  await two.sent()
  for (const laptop of [one, two]) {
    const texts = (await noteOf(laptop, session))!.addenda.map(({ text }) => text)
    expect(texts).toEqual(['From the first.', 'From the second.', 'Once more from the second.'])
    expect(await laptop.call('notes.verify', { id })).toEqual({ intact: true })
    expect(await laptop.call('outbox.list', {})).toEqual([])
  }
})

test('a transcript corrected on both laptops is kept whole on both sides; the choice stands on both', async () => {
  const session = await shared('Two Transcripts')
  two.isOnline = false
  const correct = async (laptop: TestLaptop, text: string) => {
    const { version, speakers, segments } = await transcriptOf(laptop, session)
    const corrected = segments.map((segment, index) => (index === 1 ? { ...segment, text } : segment))
    await laptop.call('transcripts.save', { session_id: session, version, speakers, segments: corrected })
  }
  await correct(one, 'Not well, says the first.')
  await correct(two, 'Not well, says the second.')
  await one.sent()
  two.isOnline = true
  await two.until(async () => (await two.conflicts()).length > 0)
  expect(await two.conflict('document')).toMatchObject({ record: 'transcript', choices: ['mine', 'theirs'] })
  await resolve(two, 'theirs')
  await two.sent()
  for (const laptop of [one, two])
    expect((await transcriptOf(laptop, session)).segments[1]!.text).toBe('Not well, says the first.')
  expect(await two.call('outbox.list', {})).toEqual([])
})
