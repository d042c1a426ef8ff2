import { app, dialog, type Session, session, shell, type WebContents } from 'electron'
import { appOrigin } from './app-protocol.ts'
import type { ShellCall, ShellCalls } from './bridge.ts'
import type { MicrophonePermission } from './microphone.ts'
import { words } from './words.ts'

interface SecurityOptions {
  readonly microphone: Pick<MicrophonePermission, 'isAllowed'>
  readonly signInPages: Pick<SignInPages, 'open'>
  readonly contents: () => WebContents | null
}

/** Call before Electron's `ready`, so that every session and page gets the same limits. */
export function restrictEverything(options: SecurityOptions): void {
  app.enableSandbox()
  app.on('session-created', (created) => restrictSession(created, options))
  app.on('web-contents-created', (_event, contents) => restrictContents(contents, options))
  void app.whenReady().then(() => restrictSession(session.defaultSession, options))
}

/** Applies items 12 to 15 of Electron's security checklist (webviews, navigation, windows, external links) and limits WebRTC. */
function restrictContents(contents: WebContents, { signInPages }: SecurityOptions): void {
  const stay = (event: { preventDefault(): void; readonly url: string }): void => {
    if (!isPage(event.url)) event.preventDefault()
  }
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.on('will-navigate', stay)
  contents.on('will-redirect', stay)
  contents.setWindowOpenHandler(({ url }) => {
    signInPages.open(url)
    return { action: 'deny' }
  })
  // The content security policy does not cover the addresses that WebRTC contacts.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
}

const restricted = new WeakSet<Session>()

function restrictSession(created: Session, options: SecurityOptions): void {
  if (restricted.has(created)) return
  restricted.add(created)
  refuseNetwork(created)
  restrictPermissions(created, options)
  created.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`${appOrigin}/exports/`)) event.preventDefault()
  })
}

function refuseNetwork(created: Session): void {
  // Must run in the tick that creates the session; Chromium would otherwise download a dictionary, even an unused one.
  created.setSpellCheckerDictionaryDownloadURL('https://127.0.0.1:9/')
  created.setSpellCheckerEnabled(false)
  const allowed = ['app:', 'data:', 'blob:', ...(app.isPackaged ? [] : ['devtools:'])]
  created.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !allowed.includes(new URL(url).protocol) }))
  void created.setProxy({ mode: 'direct' })
}

function restrictPermissions(created: Session, { microphone, contents }: SecurityOptions): void {
  created.setPermissionRequestHandler((asking, permission, decide, details) => {
    const isMainFrame = asking === contents() && details.isMainFrame && isPage(details.requestingUrl)
    const mediaTypes = 'mediaTypes' in details ? (details.mediaTypes ?? []) : []
    const isMicrophone = permission === 'media' && mediaTypes.length > 0 && mediaTypes.every((type) => type === 'audio')
    decide(isMainFrame && ((isMicrophone && microphone.isAllowed()) || permission === 'clipboard-sanitized-write'))
  })
  created.setPermissionCheckHandler((_asking, permission, origin, details) => {
    // Before opening a microphone, Chromium also checks camera pan and tilt, without a media type.
    const isMicrophone = permission === 'media' && details.mediaType !== 'video'
    return isPage(`${origin.replace(/\/$/, '')}/`) && (isMicrophone || permission === 'clipboard-sanitized-write')
  })
}

function isPage(url: string): boolean {
  if (url !== appOrigin && !url.startsWith(`${appOrigin}/`)) return false
  return !/^\/(media|exports)(\/|$)/.test(new URL(url).pathname)
}

const MAX_PAGES = 5

export type SignInPages = ReturnType<typeof createSignInPages>

/** Opens only sign-in addresses that the core returned; a compromised window could otherwise send data in an address. */
export function createSignInPages() {
  let pages: string[] = []
  const remember: ShellCall = async (_input, core) => {
    const answer = await core()
    if (answer.ok) pages = [...pages, new URL((answer.value as { address: string }).address).href].slice(-MAX_PAGES)
    return answer
  }
  return {
    open(url: string): void {
      if (URL.canParse(url) && isWebPage(new URL(url)) && pages.includes(new URL(url).href)) void shell.openExternal(url)
    },
    calls: { 'settings.signIn': remember, 'moving.signIn': remember } satisfies ShellCalls,
  }
}

function isWebPage({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1')
}

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

export function refuseSwitch(name: string): void {
  process.stderr.write(`${words.forbiddenSwitch(name)}\n`)
  if (name !== 'no-sandbox') return app.exit(1)
  void app.whenReady().then(() => {
    dialog.showErrorBox(words.noSandbox.title, words.noSandbox.text)
    app.exit(1)
  })
}

/** Call before Electron's `ready`. Chromium then resolves no host names; the core's requests use Node and are unaffected. */
export function closeWindowNetwork(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND')
}
