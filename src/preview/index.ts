/** The preview shell: the same core and renderer as the product, in an installed Chromium over loopback. */
import { lockProfile } from '#shell/profile-lock.ts'
import { profileFolder } from '#shell/profile-folder.ts'
import { findBrowser, hasDisplay, openWindow } from './browser.ts'
import { type Supervisor, supervise } from './supervisor.ts'

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const folder = await profileFolder()
let supervisor: Supervisor | null = null
const lock = await lockProfile(folder, () => supervisor?.freshAddress() ?? '')

if ('answered' in lock) {
  print(`Afterword is already open with these records. open ${lock.answered}`)
  show(lock.answered)
} else {
  supervisor = await supervise({
    folder,
    port: Number(process.env['AFTERWORD_PORT'] ?? 0),
    onStarted: (processId) => print(`core process ${processId}`),
    onFailing: () => {
      print('Afterword could not keep running. Your recordings and records are kept; start it again.')
      process.exit(1)
    },
  })
  const address = supervisor.freshAddress()
  print(`open ${address}`)
  show(address)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close())
}

async function close(): Promise<void> {
  await supervisor?.close()
  process.exit(0)
}

function show(address: string): void {
  if (process.env['AFTERWORD_NO_OPEN'] === '1' || address === '') return
  const browser = hasDisplay() ? findBrowser() : null
  if (browser === null) print('No display or no Chromium was found: open the address above in a browser on this machine.')
  else openWindow(browser, address, folder)
}
