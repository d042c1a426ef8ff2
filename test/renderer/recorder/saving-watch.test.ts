import { expect, test } from 'vitest'
import type { Recording } from '#contract/model/recording.ts'
import { createSavingWatch } from '#renderer/bridge/saving-watch.ts'

function watched() {
  let time = 10_000
  let hear = (_name: string, _payload: unknown): void => {}
  const watch = createSavingWatch({ on: (listener) => ((hear = listener), () => {}) }, () => time)
  let changes = 0
  watch.subscribe(() => (changes += 1))
  return {
    watch,
    changes: () => changes,
    saved: () => hear('recording.saved', { recording_id: 'any', saved_ms: 1, peak: 0, rms: 0 }),
    changed: (recording: Partial<Recording>) => hear('recording.changed', { ...anyRecording, ...recording }),
    pass(ms: number): void {
      time += ms
      watch.look()
    },
  }
}

const anyRecording: Recording = {
  id: '01930006-0000-7000-8000-000000000001',
  session_id: '01930006-0000-7000-8000-000000000002',
  state: 'recording',
  started_at: '2026-11-24T10:00:00.000Z',
  finished_at: null,
  saved_ms: 0,
  bytes: 0,
  gaps: [],
  marks: [],
  device_label: '',
  ogg_bytes: null,
  ogg_sha256: null,
  checked_at: null,
  erased_at: null,
}

test('a window that just opened does not claim that sound is saved before it hears of a saved record', () => {
  const { watch, saved, pass } = watched()
  pass(1000)
  expect(watch.get()).toEqual({ kind: 'unknown' })
  saved()
  expect(watch.get()).toEqual({ kind: 'saving' })
})

test('once no record is saved for 1.5 s, the unsaved seconds are counted, until a record is saved', () => {
  const { watch, saved, pass, changes } = watched()
  saved()
  pass(1400)
  expect(watch.get()).toEqual({ kind: 'saving' })
  pass(100)
  expect(watch.get()).toEqual({ kind: 'silent', ms: 2000 })
  pass(100)
  pass(2000)
  expect(watch.get()).toEqual({ kind: 'silent', ms: 4000 })
  saved()
  expect(watch.get()).toEqual({ kind: 'saving' })
  expect(changes()).toBe(4)
})

test('a pause is not counted once the recording is resumed, and a new mark is no sign that sound is saved', () => {
  const { watch, changed, pass } = watched()
  changed({ state: 'paused' })
  pass(60_000)
  changed({ state: 'recording' })
  expect(watch.get()).toEqual({ kind: 'unknown' })
  pass(2000)
  changed({ state: 'recording', saved_ms: 5 })
  expect(watch.get()).toEqual({ kind: 'silent', ms: 2000 })
})

test('a recording that was cut off counts on until it is shown as cut off', () => {
  const { watch, saved, changed, pass } = watched()
  changed({ state: 'recording' })
  saved()
  pass(3500)
  changed({ state: 'interrupted' })
  expect(watch.get()).toEqual({ kind: 'silent', ms: 4000 })
})
