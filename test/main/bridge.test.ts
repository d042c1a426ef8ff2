import { beforeEach, describe, expect, test } from 'vitest'
import type { Bridge } from '#contract/bridge/methods.ts'
import type { WebContents } from 'electron'
import { silentLog } from '#base/log.ts'
import { sendEvent, serveBridge } from '#main/bridge.ts'
import { answering, bridgeConformance } from '#test/support/bridge-conformance.ts'
import { BrowserWindow, exposed, ipcRenderer, sender } from '#test/support/electron-stand-in.ts'

const contents = (): WebContents => BrowserWindow.all[0]?.webContents as unknown as WebContents

beforeEach(() => {
  sender.url = 'app://afterword/'
  sender.parent = null
})

describe('the bridge over Electron’s channel', () => {
  bridgeConformance(async () => {
    new BrowserWindow({})
    serveBridge({ core: { call: answering }, calls: {}, contents, log: silentLog })
    await import('../../src/preload/index.ts')
    return {
      bridge: exposed['afterword'] as Bridge,
      emit: (name, payload) => sendEvent(contents(), name, payload),
      close: () => {},
    }
  })
})

test('the preload exposes three functions and nothing of Electron', () => {
  expect(Object.keys(exposed['afterword'] as object).toSorted()).toEqual(['call', 'on', 'onConnection'])
})

test('a call from a page or frame that is not ours is refused before it reaches the core', async () => {
  sender.url = 'https://elsewhere.example/'
  await expect(ipcRenderer.invoke('afterword:call', 'echo', {})).rejects.toThrow('not the main window')
  sender.url = 'app://afterword.example/'
  await expect(ipcRenderer.invoke('afterword:call', 'echo', {})).rejects.toThrow('not the main window')
  sender.url = 'app://afterword/'
  sender.parent = {}
  await expect(ipcRenderer.invoke('afterword:call', 'echo', {})).rejects.toThrow('not the main window')
})
