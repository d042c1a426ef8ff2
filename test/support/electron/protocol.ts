import type { CustomScheme, Protocol } from 'electron'
import { app } from './app.ts'
import type { Faithful } from './native-emitter.ts'
import { register, registerSettings } from './registrations.ts'

type Handler = (request: Request) => Response | Promise<Response>

const schemes = new Map<string, CustomScheme['privileges']>()
const handlers = new Map<string, Handler>()

const fake = {
  registerSchemesAsPrivileged(given: CustomScheme[]): void {
    if (app.isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
    for (const { scheme, privileges = {} } of given) {
      if (privileges.stream === true && privileges.standard !== true) throw new Error('stream needs a standard scheme')
      schemes.set(scheme, registerSettings(`scheme.${scheme}`, privileges))
    }
  },
  handle(scheme: string, handler: Handler): void {
    if (!app.isReady()) throw new Error('protocol can only be used after app is ready')
    if (handlers.has(scheme)) throw new Error(`The scheme '${scheme}' has already been registered`)
    if (register(`protocol.handle:${scheme}`)) handlers.set(scheme, handler)
  },
  unhandle: (scheme: string): void => {
    if (!handlers.delete(scheme)) throw new Error(`Failed to unhandle protocol: ${scheme}`)
  },
  isProtocolHandled: (scheme: string): boolean => handlers.has(scheme),
}

export const protocol = fake satisfies Faithful<typeof fake, Protocol, 'handle'>

export const handlerOf = (scheme: string): Handler | null => handlers.get(scheme) ?? null

export function privilegesOf(scheme: string): NonNullable<CustomScheme['privileges']> {
  return schemes.get(scheme) ?? {}
}
