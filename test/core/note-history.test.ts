import { expect, onTestFinished, test } from 'vitest'
import type { Note } from '#contract/model/note.ts'
import { withTyped } from '#domain/note-sections.ts'
import { createRemoveRecords } from '#core/sync/merge/tombstones.ts'
import { clientWithSession, coreKit, createProfile, type OpenCore } from './core-kit.ts'
import { heldClock } from './recordings/recording-kit.ts'
import { vaultOf } from './recovery/damage-kit.ts'

const MINUTE = 60_000

async function setUp() {
  const clock = heldClock()
  const kit = coreKit({ clock })
  onTestFinished(() => kit.remove())
  const open = await kit.open()
  await createProfile(open)
  const { session } = await clientWithSession(open)
  const note = await open.call('notes.start', { session_id: session.id, template: 'soap' })
  return { kit, clock, open, session, note }
}

const typed = (note: Note, text: string) =>
  note.sections.map((section) => (section.key === 'plan' ? withTyped(section, text, () => crypto.randomUUID()) : section))
const save = (open: OpenCore, note: Note, text: string) =>
  open.call('notes.save', { id: note.id, version: note.version, sections: typed(note, text), omissions: [] })
const steps = async (open: OpenCore, session_id: string) => {
  const versions = await open.call('notes.versions', { session_id })
  const plan = (sections: Note['sections']) => sections.find(({ key }) => key === 'plan')?.statements[0]?.text ?? ''
  return versions.map(({ step, sections }) => `${step} ${plan(sections)}`.trim()).toReversed()
}

test('saves within ten minutes are one version, a later edit is another, and signing and addenda are named', async () => {
  const { clock, open, session, note } = await setUp()
  let saved = await save(open, note, 'See her.')
  clock.pass(9 * MINUTE)
  saved = await save(open, saved, 'See her Tuesday.')
  clock.pass(2 * MINUTE)
  saved = await save(open, saved, 'See her Wednesday.')
  await open.call('notes.sign', { id: saved.id, version: saved.version })
  await open.call('notes.addAddendum', { id: saved.id, text: 'She called.', reason: 'Late' })
  expect(await steps(open, session.id)).toEqual([
    'started',
    'edited See her Tuesday.',
    'edited See her Wednesday.',
    'signed See her Wednesday.',
    'addendum See her Wednesday.',
  ])
  const [addendum, signed] = await open.call('notes.versions', { session_id: session.id })
  expect([addendum?.by, signed?.by]).toEqual(['Dr. Ana Ruiz', 'Dr. Ana Ruiz'])
  await open.core.close()
})

test('a restored version is a new one: what it replaces stays, and a signed note can’t be restored', async () => {
  const { clock, open, session, note } = await setUp()
  let saved = await save(open, note, 'See her Tuesday.')
  clock.pass(11 * MINUTE)
  saved = await save(open, saved, 'Cancel.')
  const { number } = (await open.call('notes.versions', { session_id: session.id }))[1]!
  await expect(open.call('notes.restore', { id: note.id, version: 1, number })).rejects.toMatchObject({ code: 'stale-version' })
  saved = await open.call('notes.restore', { id: note.id, version: saved.version, number })
  expect(saved.sections.find(({ key }) => key === 'plan')?.statements[0]?.text).toBe('See her Tuesday.')
  await save(open, saved, 'See her at noon.')
  const all = ['started', 'edited See her Tuesday.', 'edited Cancel.', 'restored See her Tuesday.', 'edited See her at noon.']
  expect(await steps(open, session.id)).toEqual(all)
  const { id, version } = (await open.call('notes.get', { session_id: session.id })).note!
  await open.call('notes.sign', { id, version })
  await expect(open.call('notes.restore', { id, version: version + 1, number })).rejects.toMatchObject({ code: 'already-signed' })
  await open.core.close()
})

test('the history outlives a restart, is bounded, and goes with its note or its session', async () => {
  const { kit, clock, session, note, ...first } = await setUp()
  let saved: Note = note
  for (let edit = 0; edit < 60; edit += 1) {
    clock.pass(11 * MINUTE)
    saved = await save(first.open, saved, `Edit ${edit}.`)
  }
  await first.open.core.close()
  const open = await kit.open()
  const kept = await steps(open, session.id)
  expect([kept.length, kept.at(-1)]).toEqual([50, 'edited Edit 59.'])
  await open.core.close()
  const vault = await vaultOf(kit)
  const left = () => vault.prepare('select count(*) from note_versions').pluck().get()
  expect(left()).toBe(50)
  const copy = vault.prepare('select * from note_versions limit 1').get()
  createRemoveRecords(vault).note(note.id)
  expect(left()).toBe(0)
  const fields = Object.keys(copy as object)
  vault.prepare(`insert into note_versions values (${fields.map((name) => `@${name}`).join(', ')})`).run(copy)
  createRemoveRecords(vault).session(session.id)
  expect(left()).toBe(0)
  vault.close()
})
