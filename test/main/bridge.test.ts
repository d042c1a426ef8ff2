import type { WebContents } from 'electron'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Bridge } from '#contract/bridge/methods.ts'
import { silentLog } from '#base/log.ts'
import { sendEvent, serveBridge } from '#main/bridge.ts'
import { preloadFile } from '#main/app-protocol.ts'
import { answering } from '#test/support/bridge-answers.ts'
import { bridgeConformance } from '#test/support/bridge-conformance.ts'
import { build } from '#test/support/built-app.ts'
import { app } from '#test/support/electron/app.ts'
import { StandInWindow } from '#test/support/electron/browser-window.ts'
import { createFrame } from '#test/support/electron/frames.ts'
import type { Page } from '#test/support/electron/page.ts'
import { protocol } from '#test/support/electron/protocol.ts'

let window: StandInWindow
const contents = (): WebContents => window.webContents as unknown as WebContents
const page = (): Page => window.webContents.standIn.page()!

beforeAll(async () => {
  build()
  app.standIn.finishLaunching()
  protocol.handle('app', () => new Response('<!doctype html>'))
  window = new StandInWindow({ webPreferences: { preload: preloadFile } })
  serveBridge({ core: { call: answering }, calls: {}, contents, log: silentLog })
  await window.loadURL('app://afterword/')
})

describe('the bridge over Electron’s channel and the built preload', () => {
  bridgeConformance(() =>
    Promise.resolve({
      bridge: page().world['afterword'] as Bridge,
      emit: (name, payload) => sendEvent(contents(), name, payload),
      close: () => {},
    }),
  )
})

test('the preload exposes three functions and nothing of Electron', () => {
  expect(Object.keys(page().world)).toEqual(['afterword'])
  expect(Object.keys(page().world['afterword'] as object).toSorted()).toEqual(['call', 'on', 'onConnection'])
})

test('a call from a page or frame that is not ours is refused before it reaches the core', async () => {
  const frames = [
    createFrame('https://elsewhere.example/'),
    createFrame('app://afterword.example/'),
    createFrame('app://afterword/', page().frame),
  ]
  for (const frame of frames) {
    await expect(page().invokeFrom(frame, 'afterword:call', ['echo', {}])).rejects.toThrow('not the main window')
  }
  const other = new StandInWindow({ webPreferences: { preload: preloadFile } })
  await other.loadURL('app://afterword/')
  const foreign = other.webContents.standIn.page()!.world['afterword'] as Bridge
  await expect(foreign.call('app.state', {})).rejects.toThrow('not the main window')
})
