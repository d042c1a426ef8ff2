import { EventEmitter } from 'node:events'
import type { Event } from 'electron'
import { register } from './registrations.ts'

type Listener = (...given: never[]) => unknown

/** The event name if the real class declares this event with these argument types; otherwise `never`. */
type Offered<Real, Name extends string, Given extends unknown[]> = Real extends {
  on(event: Name, listener: (...given: Given) => void): unknown
}
  ? Name
  : never

/** Compiles only if every public member of the fake exists in Electron with a compatible type. */
export type Faithful<Fake, Real, Partial extends keyof Real = never> = Pick<
  Real,
  Exclude<keyof Fake & keyof Real, Partial | keyof EventEmitter>
> &
  Record<Exclude<keyof Fake, keyof Real | keyof NativeEmitter<unknown> | 'standIn'>, never>

/** Emits native events. Each `on` is recorded as a registration of the app. */
export class NativeEmitter<Real> extends EventEmitter {
  readonly #kind: string

  constructor(kind: string) {
    super()
    this.#kind = kind
  }

  override on(name: string, listener: Listener): this {
    return register(`${this.#kind}.on:${name}`) ? super.on(name, listener as never) : this
  }

  override addListener(name: string, listener: Listener): this {
    return this.on(name, listener)
  }

  override prependListener(name: string, listener: Listener): this {
    return register(`${this.#kind}.on:${name}`) ? super.prependListener(name, listener as never) : this
  }

  /** Native code emits this way: an error in a listener becomes an uncaught exception and does not reach the emitter. */
  announce<Name extends string, Given extends unknown[]>(name: Name & Offered<Real, Name, Given>, ...given: Given): void {
    try {
      this.emit(name, ...given)
    } catch (error) {
      reportUncaught(error)
    }
  }
}

export function reportUncaught(error: unknown): void {
  const thrown = error instanceof Error ? error : new Error(String(error))
  ;(process as EventEmitter).emit('uncaughtException', thrown, 'uncaughtException')
}

export function nativeEvent(): Event
export function nativeEvent<Params extends object>(params: Params): Event<Params>
export function nativeEvent(params: object = {}): Event {
  let isPrevented = false
  const event = {
    preventDefault: () => {
      isPrevented = true
    },
    get defaultPrevented() {
      return isPrevented
    },
  }
  return Object.assign(event, params)
}

/** After the object is destroyed, every method and getter except `isDestroyed` throws. */
export function throwOnceDestroyed(prototype: { isDestroyed(): boolean }, allowed: readonly string[] = []): void {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (['constructor', 'isDestroyed', 'standIn', ...allowed].includes(name)) continue
    const guard = (original: (this: unknown, ...given: unknown[]) => unknown) =>
      function guarded(this: { isDestroyed(): boolean }, ...given: unknown[]): unknown {
        if (this.isDestroyed()) throw new TypeError('Object has been destroyed')
        return original.apply(this, given)
      }
    if (typeof property.value === 'function') property.value = guard(property.value as never)
    if (property.get) property.get = guard(property.get) as () => unknown
    Object.defineProperty(prototype, name, property)
  }
}

/** For events that a test causes: a system that does not have the event never emits it. */
export function onlyOn(platform: NodeJS.Platform, event: string): void {
  if (process.platform !== platform) throw new Error(`${process.platform} has no event ${event}`)
}
