import { app, dialog } from 'electron'
import { words } from './words.ts'

/** Packaged Electron obeys these. Each would weaken the window's protection, or let another program read or record. */
const FORBIDDEN_SWITCHES = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-allow-origins',
  'inspect',
  'inspect-brk',
  'inspect-port',
  'js-flags',
  'no-sandbox',
  'disable-web-security',
  'disable-site-isolation-trials',
  'allow-running-insecure-content',
  'load-extension',
  'proxy-server',
  'proxy-pac-url',
  'host-rules',
  'host-resolver-rules',
  'auth-server-allowlist',
  'ignore-certificate-errors',
  'use-fake-device-for-media-stream',
  'use-fake-ui-for-media-stream',
  'use-file-for-fake-audio-capture',
  'log-net-log',
  'ssl-key-log-file',
  'enable-logging',
] as const

export function forbiddenSwitch(): string | null {
  if (!app.isPackaged) return null
  return FORBIDDEN_SWITCHES.find((name) => app.commandLine.hasSwitch(name)) ?? null
}

/** Ends the app before it opens anything. The AppImage launcher can add `no-sandbox`, so a dialog explains that one. */
export function refuseSwitch(name: string): void {
  process.stderr.write(`${words.forbiddenSwitch(name)}\n`)
  if (name !== 'no-sandbox') return app.exit(1)
  void app.whenReady().then(() => {
    dialog.showErrorBox(words.noSandbox.title, words.noSandbox.text)
    app.exit(1)
  })
}

/** Call before `ready`. The window needs no network. The core's requests use Node and are unaffected. */
export function closeWindowNetwork(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND')
}
