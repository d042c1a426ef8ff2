import { basename } from 'node:path'
import { forbidCoreDumps } from '#base/core-dumps.ts'
import { lockProfile } from '#shell/profile-lock.ts'
import { profileFolder } from '#shell/profile-folder.ts'
import { emptyBrowserFolder, openWindow, findBrowser, hasDisplay, words } from './open-window.ts'
import { type Supervisor, supervise } from './supervisor.ts'

const MAX_WAIT_MS = 10_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)

forbidCoreDumps()
process.umask(0o077)
const port = Number(process.env['AFTERWORD_PORT'] ?? 0)
const SAME_SIGNAL_MS = 2000
let closingSince: number | null = null
let supervisor: Supervisor | null = null
let closeWindow = async (): Promise<void> => {}
const folder = await profileFolder().catch((error: unknown) => fail(words.failed(codeOf(error), pathOf(error))))
const lock = await lockOrAddress().catch((error: unknown) => fail(words.failed(codeOf(error), folder)))

if ('answered' in lock) {
  if (lock.answered === 'shown') print(words.isShown)
  else if (isAddress(lock.answered)) show(lock.answered, words.isOpenElsewhere)
  else fail(words.notResponding)
} else {
  supervisor = await supervise({
    folder,
    port,
    onRestarted: () => print(words.restarted),
    onFailing(reason) {
      void closeWindow().finally(() => fail(words.failed(reason, folder)))
    },
  }).catch((error: unknown) => fail(codeOf(error) === 'EADDRINUSE' ? words.portInUse(port) : words.failed(codeOf(error), folder)))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  emptyBrowserFolder(folder)
  show(supervisor.freshAddress(), words.isOpen)
}

function codeOf(error: unknown): string | null {
  return (error as NodeJS.ErrnoException).code ?? null
}

function pathOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).path ?? ''
}

function isAddress(answer: string): boolean {
  return answer.startsWith('http://')
}

/** Tries for 10 s to get the lock, or an address (preview) or 'shown' (Electron) from the app that holds the lock. */
async function lockOrAddress(): ReturnType<typeof lockProfile> {
  const deadline = performance.now() + MAX_WAIT_MS
  for (;;) {
    const found = await lockProfile(folder, () => supervisor?.freshAddress() ?? '')
    if (!('answered' in found) || isAddress(found.answered) || found.answered === 'shown') return found
    if (performance.now() > deadline) return found
    await new Promise((done) => setTimeout(done, 500))
  }
}

/**
 * Closes on the first signal. Ignores signals in the next 2 s, because npm repeats the signal of Ctrl+C. A later signal ends the
 * process at once.
 */
function onSignal(): void {
  const now = performance.now()
  closingSince ??= now
  if (closingSince === now) void close()
  else if (now - closingSince > SAME_SIGNAL_MS) process.exit(1)
}

async function close(): Promise<void> {
  try {
    await supervisor?.close()
  } finally {
    // Without the server, the window is useless, and another program might take over the port.
    await closeWindow()
    emptyBrowserFolder(folder)
    process.exit(0)
  }
}

function fail(sentence: string): never {
  print(sentence)
  process.exit(1)
}

function show(address: string, opened: string): void {
  const isByHand = process.env['AFTERWORD_NO_OPEN'] === '1'
  const browser = hasDisplay() ? findBrowser() : null
  if (!isByHand && browser !== null) {
    print(opened)
    closeWindow = openWindow(browser, address, folder, () => {
      print(words.browserEnded(basename(browser)))
      print(words.openByHand(supervisor?.freshAddress() ?? address))
    })
    return
  }
  if (!isByHand) print(hasDisplay() ? words.noBrowser : words.noDisplay)
  print(words.openByHand(address))
}
