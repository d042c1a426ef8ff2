import { app, type Session, session, shell, type WebContents } from 'electron'
import { appOrigin } from './places.ts'

/** Items 4, 5, 11 to 15 of Electron's security checklist; the others stand where windows and protocols are made. */
export function restrictEverything(): void {
  app.enableSandbox()
  app.on('web-contents-created', (_event, contents) => restrictContents(contents))
  void app.whenReady().then(() => restrictSession(session.defaultSession))
}

function restrictContents(contents: WebContents): void {
  const stayHere = (event: { preventDefault(): void; readonly url?: string }, url: string): void => {
    if (!url.startsWith(`${appOrigin}/`)) event.preventDefault()
  }
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.on('will-navigate', (event) => stayHere(event, event.url))
  contents.on('will-redirect', (event) => stayHere(event, event.url))
  contents.setWindowOpenHandler(({ url }) => {
    if (url.startsWith('https://')) void shell.openExternal(url)
    return { action: 'deny' }
  })
}

/** The microphone and writing to the clipboard, from our own window; nothing else, and never a camera. */
function restrictSession(current: Session): void {
  const isOurs = (url: string): boolean => url === appOrigin || url.startsWith(`${appOrigin}/`)
  current.setPermissionRequestHandler((_contents, permission, decide, details) => {
    const mediaTypes = 'mediaTypes' in details ? (details.mediaTypes ?? []) : []
    const isMicrophone = permission === 'media' && mediaTypes.length > 0 && mediaTypes.every((type) => type === 'audio')
    decide(isOurs(details.requestingUrl) && (isMicrophone || permission === 'clipboard-sanitized-write'))
  })
  current.setPermissionCheckHandler((_contents, permission, origin, details) => {
    const isMicrophone = permission === 'media' && details.mediaType === 'audio'
    return isOurs(origin.replace(/\/$/, '')) && (isMicrophone || permission === 'clipboard-sanitized-write')
  })
  current.setSpellCheckerEnabled(false) // its dictionaries are fetched from a server
}
