import { expect, test } from 'vitest'
import { createContextBridge } from '#test/support/electron/context-bridge.ts'

class Clinic {
  name = 'a clinic'
  greet(): string {
    return `hello from ${this.name}`
  }
}

function expose(api: unknown): Record<string, unknown> {
  const world: Record<string, unknown> = {}
  createContextBridge(world, true).exposeInMainWorld('api', api)
  return world['api'] as Record<string, unknown>
}

test('what a preload exposes crosses as frozen copies: functions can be called, classes and symbols are lost', async () => {
  const bytes = new Uint8Array([1, 2])
  const api = expose({
    clinic: new Clinic(),
    bytes,
    hidden: Symbol('hidden'),
    later: (value: unknown) => Promise.resolve({ value }),
    refuse: () => {
      throw new TypeError('refused')
    },
  })
  expect(Object.getPrototypeOf(api['clinic'])).toBe(Object.prototype)
  expect(api['clinic']).toEqual({ name: 'a clinic' })
  expect(api['bytes']).toEqual(bytes)
  expect(api['bytes']).not.toBe(bytes)
  expect(api).not.toHaveProperty('hidden')
  expect(Object.isFrozen(api)).toBe(true)
  const given = { deep: [1] }
  const answer = await (api['later'] as (value: unknown) => Promise<{ value: unknown }>)(given)
  expect(answer.value).toEqual(given)
  expect(answer.value).not.toBe(given)
  expect(api['refuse']).toThrow(Error)
  expect(api['refuse']).not.toThrow(TypeError)
})

test('a name is exposed once, and only to an isolated page', () => {
  const world: Record<string, unknown> = {}
  const bridge = createContextBridge(world, true)
  bridge.exposeInMainWorld('api', {})
  expect(() => bridge.exposeInMainWorld('api', {})).toThrow('Cannot bind')
  expect(() => createContextBridge({}, false).exposeInMainWorld('api', {})).toThrow('contextIsolation')
})
