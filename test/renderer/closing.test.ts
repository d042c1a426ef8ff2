import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Bridge } from '#contract/bridge/methods.ts'
import { beforeClosing, beforeLocking, followClosing, saveEdits } from '#renderer/bridge/closing.ts'

let emit = (_name: string): void => {}
let steps: string[] = []
const bridge = {
  on(listener) {
    emit = (name) => listener(name, {})
    return () => {}
  },
  call(name) {
    steps.push(name)
    return Promise.resolve({ ok: true, value: {} })
  },
  onConnection: () => () => {},
} as Bridge

class Field {
  blur(): void {
    steps.push('field left')
  }
}

beforeEach(() => {
  steps = []
  vi.stubGlobal('HTMLElement', Field)
  vi.stubGlobal('document', { activeElement: new Field() })
  followClosing(bridge)
})
afterEach(() => vi.unstubAllGlobals())

const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 20))

test('a field being edited, sound and edits are handed over before the app is told to quit', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const remove = beforeClosing(async () => {
    await promise
    steps.push('sound saved')
  })
  emit('app.closing')
  await settled()
  expect(steps).toEqual(['field left'])
  resolve()
  await settled()
  expect(steps).toEqual(['field left', 'sound saved', 'app.handedOver'])
  remove()
})

test('one edit that cannot be saved does not hold up the others, nor the quit', async () => {
  const removals = [
    beforeLocking(() => Promise.reject(new Error('the disk is full'))),
    beforeLocking(() => Promise.resolve(steps.push('edit saved'))),
  ]
  emit('app.closing')
  await settled()
  expect(steps).toEqual(['field left', 'edit saved', 'app.handedOver'])
  for (const remove of removals) remove()
})

test('before the system locks the records, edits are saved and the sound is left alone', async () => {
  const removals = [
    beforeClosing(() => Promise.resolve(steps.push('sound saved'))),
    beforeLocking(() => Promise.resolve(steps.push('edit saved'))),
  ]
  emit('app.locking')
  await settled()
  expect(steps).toEqual(['field left', 'edit saved', 'app.handedOver'])
  for (const remove of removals) remove()
})

test('a save that never ends does not keep the records open', async () => {
  const remove = beforeLocking(() => new Promise(() => {}))
  await saveEdits()
  expect(steps).toEqual(['field left'])
  remove()
})
