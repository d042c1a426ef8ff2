import type { ContextBridge } from 'electron'
import type { Faithful } from './native-emitter.ts'
import { register } from './registrations.ts'

/** Copies a value from the preload's world into the page's world; functions become proxies that copy both ways. */
function crossWorlds(value: unknown, depth = 0): unknown {
  if (depth > 1000) throw new Error('Electron contextBridge recursion depth exceeded.')
  if (typeof value === 'function') return proxied(value as (...given: unknown[]) => unknown)
  if (typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Promise) {
    return value.then(
      (result: unknown) => crossWorlds(result),
      (error: unknown) => {
        throw plainError(error)
      },
    )
  }
  if (value instanceof Error) return plainError(value)
  if (Array.isArray(value)) return value.map((item) => crossWorlds(item, depth + 1))
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Date) return structuredClone(value)
  return Object.fromEntries(
    Object.entries(value as object)
      .filter(([, member]) => typeof member !== 'symbol')
      .map(([key, member]) => [key, crossWorlds(member, depth + 1)]),
  )
}

function proxied(call: (...given: unknown[]) => unknown): (...given: unknown[]) => unknown {
  return (...given) => {
    try {
      return crossWorlds(call(...given.map((argument) => crossWorlds(argument))))
    } catch (error) {
      throw plainError(error)
    }
  }
}

/** Only the message of an error crosses; its class and extra properties do not. */
function plainError(error: unknown): Error {
  return new Error(error instanceof Error ? error.message : String(error))
}

function freeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    for (const member of Object.values(value)) freeze(member)
    Object.freeze(value)
  }
  return value
}

export function createContextBridge(world: Record<string, unknown>, isIsolated: boolean) {
  const bridge = {
    exposeInMainWorld(key: string, api: unknown): void {
      if (!isIsolated) throw new Error('contextBridge API can only be used when contextIsolation is enabled')
      if (Object.hasOwn(world, key)) throw new Error(`Cannot bind an API on top of an existing property on the window object`)
      if (register(`contextBridge.exposeInMainWorld:${key}`)) world[key] = freeze(crossWorlds(api))
    },
  }
  return bridge satisfies Faithful<typeof bridge, ContextBridge>
}
