import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { forbidCoreDumps } from '#base/core-dumps.ts'
import { errorKind } from '#base/log.ts'
import { openLog } from '#base/log-file.ts'
import { profileFolder } from '#shell/profile-folder.ts'
import { declareProtocol } from './app-protocol.ts'
import { createMicrophonePermission, createRecordingState } from './microphone.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { closeWindowNetwork, createSignInPages, forbiddenSwitch, refuseSwitch, restrictEverything } from './security.ts'
import { prepareSelfTest } from './self-test.ts'
import { lockProfile } from '#shell/profile-lock.ts'
import { AppError } from '#contract/errors.ts'
import { diskFailure } from '#base/durable-file.ts'
import { words } from './words.ts'

const recording = createRecordingState()
const microphone = createMicrophonePermission(recording)
const signInPages = createSignInPages()
let opened: OpenApp | null = null
let folder = ''
const forbidden = forbiddenSwitch()
const selfTest = forbidden === null ? prepareSelfTest() : null

forbidCoreDumps()
process.umask(0o077)
if (forbidden !== null) refuseSwitch(forbidden)
else {
  closeWindowNetwork()
  declareProtocol()
  restrictEverything({ microphone, signInPages, contents: () => opened?.contents() ?? null })
  // Electron's folders must be set before `ready`.
  const refusal = await prepare().catch((error: unknown) => ({ error }))
  // Not awaited: Electron emits `ready` only after this module has been evaluated.
  void app.whenReady().then(() => start(refusal))
}

/** @returns null if this app may open the records; otherwise the message to show, or '' for no message */
async function prepare(): Promise<string | null> {
  folder = await profileFolder()
  const userData = join(folder, 'window')
  mkdirSync(userData, { recursive: true, mode: 0o700 })
  app.setPath('userData', userData)
  const refusal = await claimProfile(folder, showAgain)
  // Chromium creates a session even for a dialog. That session must not share the first app's files.
  if (refusal !== null) {
    const sessionData = join(userData, 'second-start')
    mkdirSync(sessionData, { recursive: true, mode: 0o700 })
    app.setPath('sessionData', sessionData)
  }
  return refusal
}

async function start(refusal: string | null | { readonly error: unknown }): Promise<void> {
  try {
    if (typeof refusal === 'string') return endSecondStart(refusal)
    if (refusal !== null) throw refusal.error
    const log = openLog(folder, 'main')
    process.on('uncaughtException', (error) => log.error('main.uncaught', { kind: errorKind(error) }))
    opened = await openApp({ folder, log, recording, microphone, signInPages, selfTest })
  } catch (error) {
    if (folder !== '') openLog(folder, 'main').error('start.failed', { kind: errorKind(error) })
    if (selfTest === null) showStartFailure(error, folder)
    else selfTest.fail('open')
  }
}

function showAgain(): FirstAnswer {
  if (opened?.isClosing() === true) return 'closing'
  opened?.show()
  return 'shown'
}

function endSecondStart(refusal: string): void {
  if (refusal === '') return app.quit()
  dialog.showErrorBox(words.alreadyRunning.title, refusal)
  app.exit(1)
}

/** Exits after the message, because a process without a window could still hold the profile lock. */
function showStartFailure(error: unknown, folder: string): void {
  if (error instanceof AppError && error.code === 'profile-in-use') {
    dialog.showErrorBox(words.alreadyRunning.title, words.alreadyRunning.inUse(folder))
    app.exit(1)
    return
  }
  const isDisk = diskFailure(error) !== null || (error instanceof AppError && error.code.startsWith('disk-')) || isNoFolder(error)
  const { title, disk, other } = words.startFailed
  const place = folder === '' ? pathOf(error) : folder
  dialog.showErrorBox(title, isDisk ? disk(place) : other(place))
  app.exit(1)
}

function isNoFolder(error: unknown): boolean {
  return ['EEXIST', 'ENOTDIR', 'ENOENT'].includes((error as { code?: string } | null)?.code ?? '')
}

function pathOf(error: unknown): string {
  return (error as { path?: string } | null)?.path ?? ''
}

type FirstAnswer = 'shown' | 'closing'

/**
 * Takes the profile lock, which also covers the browser preview, and Electron's lock, which on Windows lets a second start
 * bring the first window to the front.
 * @returns null for the first app; for a second start, the message to show, or '' if the first app shows its window
 */
async function claimProfile(folder: string, onSecondStart: () => FirstAnswer): Promise<string | null> {
  app.on('second-instance', () => void onSecondStart())
  const lock = await lockProfile(folder, onSecondStart)
  // If the first app answers anything but 'shown', skip Electron's lock: on macOS and Linux, Chromium kills an app that hangs.
  if (!('answered' in lock) || lock.answered === 'shown') app.requestSingleInstanceLock()
  return 'answered' in lock ? explain(lock.answered) : null
}

function explain(answer: string): string {
  if (answer === 'shown') return ''
  if (answer === 'closing') return words.alreadyRunning.closing
  return answer.startsWith('http') ? words.alreadyRunning.inBrowser : words.alreadyRunning.notResponding
}
