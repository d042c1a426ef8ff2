import type { DownloadItem, OnBeforeRequestListenerDetails, ProxyConfig, Session, WebContents, WebRequest } from 'electron'
import { app } from './app.ts'
import { record } from './journal.ts'
import { type Faithful, nativeEvent, NativeEmitter } from './native-emitter.ts'
import type { PageRequest } from './network.ts'
import { options } from './options.ts'
import { protocol } from './protocol.ts'
import { register } from './registrations.ts'

type RequestHandler = Parameters<Session['setPermissionRequestHandler']>[0]
type CheckHandler = Parameters<Session['setPermissionCheckHandler']>[0]
type Permission = Parameters<NonNullable<RequestHandler>>[1]
type BeforeRequest = (
  details: OnBeforeRequestListenerDetails,
  callback: (response: { cancel?: boolean; redirectURL?: string }) => void,
) => void

const googleDictionaries = 'https://redirector.gvt1.com/edgedl/chrome/dict/'

export class StandInSession extends NativeEmitter<Session> {
  readonly protocol = protocol
  #onRequest: RequestHandler = null
  #onCheck: CheckHandler = null
  #beforeRequest: BeforeRequest | null = null
  #proxy: ProxyConfig = {}
  #isSpellChecked = true
  #dictionaries = googleDictionaries

  constructor() {
    super('session')
    // Creating a session starts the dictionary download (SpellcheckService::InitializeDictionaries), even if spell check is off.
    setImmediate(() => {
      if (process.platform !== 'darwin') record('dictionary', `${this.#dictionaries}en-US-10-1.bdic`)
    })
  }

  readonly webRequest = {
    onBeforeRequest: (...given: [object, BeforeRequest | null] | [BeforeRequest | null]): void => {
      const listener = given.at(-1) as BeforeRequest | null
      if (given.length > 1) throw new Error('the stand-in knows no filters yet')
      if (register('session.webRequest.onBeforeRequest')) this.#beforeRequest = listener
    },
  }

  setPermissionRequestHandler(handler: RequestHandler): void {
    if (register('session.setPermissionRequestHandler')) this.#onRequest = handler
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    if (register('session.setPermissionCheckHandler')) this.#onCheck = handler
  }

  setSpellCheckerEnabled(isEnabled: boolean): void {
    if (register('session.setSpellCheckerEnabled')) this.#isSpellChecked = isEnabled
  }

  isSpellCheckerEnabled(): boolean {
    return this.#isSpellChecked
  }

  setSpellCheckerDictionaryDownloadURL(url: string): void {
    if (!url.endsWith('/')) throw new Error('the address of dictionaries must end with a slash')
    if (register('session.setSpellCheckerDictionaryDownloadURL')) this.#dictionaries = url
  }

  setProxy(config: ProxyConfig): Promise<void> {
    if (register('session.setProxy')) this.#proxy = config
    return Promise.resolve()
  }

  resolveProxy(_url: string): Promise<string> {
    const isDirect = this.#proxy.mode === 'direct' || options.systemProxy === null
    return Promise.resolve(isDirect ? 'DIRECT' : `PROXY ${options.systemProxy}`)
  }

  closeAllConnections(): Promise<void> {
    return Promise.resolve()
  }

  get standIn() {
    return {
      /** Electron grants permissions if the app set no handler. */
      mayUse: (contents: object, permission: Permission, details: object): Promise<boolean> =>
        new Promise((decide) => {
          if (this.#onRequest === null) decide(true)
          else this.#onRequest(contents as never, permission, decide, details as never)
        }),
      isAllowed: (contents: object | null, permission: Permission, origin: string, details: object): boolean =>
        this.#onCheck === null || this.#onCheck(contents as never, permission as never, origin, details as never),
      isRefused: ({ url, method = 'GET', resourceType }: PageRequest): Promise<boolean> =>
        new Promise((decide) => {
          const details = { id: 1, url, method, resourceType, referrer: '', timestamp: Date.now(), uploadData: [] }
          if (this.#beforeRequest === null) decide(false)
          else this.#beforeRequest(details, ({ cancel }) => decide(cancel === true))
        }),
      download: (item: object, contents: object): boolean => {
        const event = nativeEvent()
        this.announce('will-download', event, item as DownloadItem, contents as WebContents)
        return !event.defaultPrevented
      },
    }
  }
}

type FaithfulSession = Faithful<StandInSession, Session, 'protocol' | 'webRequest'>
let onlyOne: (StandInSession & FaithfulSession) | null = null

export function defaultSession(): StandInSession {
  if (!app.isReady()) throw new Error('Session can only be received when app is ready')
  onlyOne ??= createSession()
  return onlyOne
}

export function createSession(): StandInSession & FaithfulSession {
  const created = new StandInSession()
  app.announce('session-created', created as unknown as Session)
  return created
}

const fake = {
  get defaultSession() {
    return defaultSession()
  },
}
export const session = fake satisfies Record<'defaultSession', unknown>

const _checked = (
  requests: StandInSession['webRequest'],
): Record<keyof StandInSession['webRequest'] & keyof WebRequest, unknown> => requests
