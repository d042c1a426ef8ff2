import { createRequire } from 'node:module'
import type * as Library from 'rrule-temporal'

/**
 * The library prefers the runtime's Temporal over the one it brings along. It looks once, as it is loaded, so it is
 * loaded while there is none: Electron then computes series as Node does in the tests.
 */
function loadWithoutNativeTemporal(): typeof Library {
  const native = Object.getOwnPropertyDescriptor(globalThis, 'Temporal')
  Reflect.deleteProperty(globalThis, 'Temporal')
  try {
    return createRequire(import.meta.url)('rrule-temporal') as typeof Library
  } finally {
    if (native !== undefined) Object.defineProperty(globalThis, 'Temporal', native)
  }
}

export const { RRuleTemporal } = loadWithoutNativeTemporal()
