import { expect, test, vi } from 'vitest'
import { afterPause, createAutosave } from '#renderer/features/session/autosave.ts'
import { addStatement, type NoteEdit } from '#renderer/features/session/note/note-edit.ts'
import type { Note } from '#contract/model/note.ts'
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

function harness(respond: (note: Note) => Promise<Note>) {
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
