import { expect, test, vi } from 'vitest'
import { afterPause, type AutosavePorts, createAutosave } from '#renderer/features/session/autosave.ts'
import { addStatement, type NoteEdit } from '#renderer/features/session/note/note-edit.ts'
import type { Note } from '#contract/model/note.ts'
import { rebased } from '#renderer/features/session/note/note-rebase.ts'
import { ownStatement } from '#domain/note-review.ts'

const note: Note = {
  id: '01890000-0000-7000-8000-000000000001',
  created_at: '2026-11-24T14:00:00Z',
  updated_at: '2026-11-24T14:00:00Z',
  version: 1,
  session_id: null,
  client_id: null,
  template: 'soap',
  sections: [{ key: 'plan', title: 'Plan', statements: [] }],
  unsupported: [],
  omissions: [],
  checks: [],
  engine: { name: 'rules', version: '1', model: null },
  status: 'draft',
  signature: null,
  addenda: [],
}
const write =
  (id: string) =>
  <Body extends NoteEdit>(body: Body): Body =>
    addStatement(body, 'plan', null, ownStatement(id, `About ${id}.`))
const ids = (kept: Note | null | undefined) => kept?.sections[0]?.statements.map((statement) => statement.id)

function harness(respond: (note: Note) => Promise<Note>, more: Partial<AutosavePorts<Note>> = {}) {
  const sent: Note[] = []
  let due: (() => void) | null = null
  const autosave = createAutosave(note, {
    merge: (stored, local) => ({ ...stored, sections: local.sections, omissions: local.omissions }),
    save: (next) => {
      sent.push(next)
      return respond(next)
    },
    isStale: (failure) => failure === 'stale',
    later: (run) => {
      due = run
      return () => (due = null)
    },
    ...more,
  })
  return { autosave, sent, tick: () => due?.(), isDue: () => due !== null }
}
const store = async (next: Note): Promise<Note> => ({ ...next, version: next.version + 1 })

test('several edits in a row are one save that names the version they change', async () => {
  const { autosave, sent } = harness(store)
  autosave.change(write('a'))
  autosave.change(write('b'))
  const stored = await autosave.flush()
  expect(sent.map((next) => next.version)).toEqual([1])
  expect(ids(stored)).toEqual(['a', 'b'])
  expect(autosave.getState()).toMatchObject({ save: 'still', record: { version: 2 } })
})

test('what is typed while a save is under way is saved after it, on the new version', async () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const { autosave, sent } = harness(async (next) => {
    if (sent.length === 1) await held
    return store(next)
  })
  autosave.change(write('a'))
  const done = autosave.flush()
  autosave.change(write('b'))
  release()
  expect(ids(await done)).toEqual(['a', 'b'])
  expect(sent.map((next) => next.version)).toEqual([1, 2])
})

test('a version somebody else wrote stops saving and keeps the words here', async () => {
  const { autosave } = harness(() => Promise.reject('stale'))
  autosave.change(write('a'))
  expect(await autosave.flush()).toBeNull()
  expect(autosave.getState().save).toBe('stale')
  expect(ids(autosave.getState().record)).toEqual(['a'])
  autosave.replace({ ...note, version: 5 })
  expect(autosave.getState()).toMatchObject({ save: 'still', record: { version: 5 } })
})

const plan = (...statements: [id: string, text: string][]): Note => ({
  ...note,
  sections: [{ key: 'plan', title: 'Plan', statements: statements.map(([id, text]) => ownStatement(id, text)) }],
})
const lines = (kept: Note | null) => kept?.sections[0]?.statements.map(({ text }) => text)

test('what is typed here is kept on a version that somebody else wrote meanwhile, and is not signed unseen', async () => {
  const newer = { ...plan(['other', 'From the other laptop.']), version: 5 }
  const { autosave, sent } = harness((next) => (next.version < 5 ? Promise.reject('stale') : store(next)), {
    newer: async () => newer,
    rebase: rebased,
  })
  autosave.change(write('a'))
  expect(await autosave.flush()).toBeNull()
  expect(sent.map((next) => next.version)).toEqual([1, 5])
  expect(autosave.getState()).toMatchObject({ save: 'still', record: { version: 6 } })
  expect(lines(autosave.getState().record)).toEqual(['From the other laptop.', 'About a.'])
  expect(await autosave.flush()).not.toBeNull()
})

test('of a sentence that both changed, both stay; one that was removed here and not changed there is gone', () => {
  const base = plan(['a', 'Slept.'], ['b', 'Called.'], ['c', 'Walked.'])
  const newer = plan(['a', 'Slept badly.'], ['b', 'Called.'], ['c', 'Walked.'])
  const local = plan(['a', 'Slept well.'], ['c', 'Walked home.'])
  expect(lines(rebased(newer, base, local))).toEqual(['Slept badly.', 'Walked home.', 'Slept well.'])
})

test('a sentence changed here stays if it was removed there, and one that was not changed here goes', () => {
  const base = plan(['a', 'Slept.'], ['b', 'Called.'])
  expect(lines(rebased(plan(), base, plan(['a', 'Slept well.'], ['b', 'Called.'])))).toEqual(['Slept well.'])
})

test('a signed note, another template and a section that is not there leave the decision to a person', () => {
  const local = plan(['a', 'Slept.'])
  const signature = { by: 'Kim', credential: null, at: note.created_at, method: 'click' as const, content_hash: 'a'.repeat(64) }
  expect(rebased({ ...plan(), signature }, plan(), local)).toBeNull()
  expect(rebased({ ...plan(), template: 'dap' }, plan(), local)).toBeNull()
  expect(rebased({ ...plan(), sections: [] }, plan(), local)).toBeNull()
})

test('a failed save is tried again by the next flush and loses nothing', async () => {
  let fails = true
  const { autosave } = harness((next) => (fails ? Promise.reject('down') : store(next)))
  autosave.change(write('a'))
  expect(await autosave.flush()).toBeNull()
  expect(autosave.getState().save).toBe('failed')
  fails = false
  expect(ids(await autosave.flush())).toEqual(['a'])
})

test('a newer version from the core is taken over only when nothing is unsaved here', () => {
  const { autosave } = harness(store)
  autosave.adopt({ ...note, version: 3 })
  expect(autosave.getState().record.version).toBe(3)
  autosave.change(write('a'))
  autosave.adopt({ ...note, version: 9 })
  expect(ids(autosave.getState().record)).toEqual(['a'])
})

test('an edit that changes nothing asks for no save', () => {
  const { autosave, isDue } = harness(store)
  autosave.change((body) => body)
  expect(isDue()).toBe(false)
})

test('an edit waits for a pause, and typing without one is saved at the latest after the limit', () => {
  vi.useFakeTimers()
  try {
    const later = afterPause(500, 3000)
    const run = vi.fn()
    let cancel = later(run)
    for (let at = 0; at < 2800; at += 200) {
      vi.advanceTimersByTime(200)
      cancel()
      cancel = later(run)
    }
    expect(run).not.toHaveBeenCalled()
    vi.advanceTimersByTime(200)
    expect(run).toHaveBeenCalledTimes(1)
    later(run)
    vi.advanceTimersByTime(499)
    expect(run).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    expect(run).toHaveBeenCalledTimes(2)
  } finally {
    vi.useRealTimers()
  }
})
