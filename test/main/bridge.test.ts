import { beforeEach, describe, expect, test } from 'vitest'
import type { Bridge } from '#contract/bridge/methods.ts'
import { broadcast, serveBridge } from '#main/bridge.ts'
import { answering, bridgeConformance } from '#test/support/bridge-conformance.ts'
import { BrowserWindow, exposed, ipcRenderer, sender } from '#test/support/electron-stand-in.ts'

const host = {
  call: answering,
  media: () => Promise.resolve(new Response()),
  lock: () => Promise.resolve({ ok: true as const, value: {} }),
  isLocked: () => false,
  close: () => Promise.resolve(),
}

beforeEach(() => {
  sender.url = 'app://afterword/'
  sender.parent = null
})

describe('the bridge over Electron’s channel', () => {
  bridgeConformance(async () => {
    serveBridge(host)
    new BrowserWindow({})
    await import('../../src/preload/index.ts')
    return { bridge: exposed['afterword'] as Bridge, emit: broadcast, close: () => {} }
  })
})

test('the preload exposes three functions and nothing of Electron', () => {
  expect(Object.keys(exposed['afterword'] as object).toSorted()).toEqual(['call', 'on', 'onConnection'])
})

test('a call from a page or frame that is not ours is refused before it reaches the core', async () => {
  sender.url = 'https://elsewhere.example/'
  await expect(ipcRenderer.invoke('afterword:call', 'echo', {})).rejects.toThrow('not ours')
  sender.url = 'app://afterword.example/'
  await expect(ipcRenderer.invoke('afterword:call', 'echo', {})).rejects.toThrow('not ours')
  sender.url = 'app://afterword/'
  sender.parent = {}
  await expect(ipcRenderer.invoke('afterword:call', 'echo', {})).rejects.toThrow('not ours')
})
