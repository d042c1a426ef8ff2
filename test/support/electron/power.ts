import type { PowerMonitor, PowerSaveBlocker } from 'electron'
import { record } from './journal.ts'
import { type Faithful, nativeEvent, NativeEmitter } from './native-emitter.ts'
import { register } from './registrations.ts'

/** Platforms of each event; a test compares this table with electron.d.ts. */
export const powerEvents = {
  suspend: ['darwin', 'win32', 'linux'],
  resume: ['darwin', 'win32', 'linux'],
  'on-ac': ['darwin', 'win32'],
  'on-battery': ['darwin'],
  shutdown: ['linux', 'darwin'],
  'lock-screen': ['darwin', 'win32'],
  'unlock-screen': ['darwin', 'win32'],
} as const satisfies Record<string, readonly NodeJS.Platform[]>
export type PowerEvent = keyof typeof powerEvents

let idleState: ReturnType<PowerMonitor['getSystemIdleState']> = 'active'

class StandInPowerMonitor extends NativeEmitter<PowerMonitor> {
  constructor() {
    super('powerMonitor')
  }

  getSystemIdleState(threshold: number): typeof idleState {
    if (!(threshold > 0)) throw new TypeError('Invalid idle threshold, must be greater than or equal to 0')
    return register('powerMonitor.getSystemIdleState') ? idleState : 'active'
  }

  getSystemIdleTime(): number {
    return 0
  }

  get standIn() {
    return {
      setIdleState: (state: typeof idleState) => void (idleState = state),
      /** @returns whether the app delays the shutdown */
      happen: (event: PowerEvent): boolean => {
        if (!(powerEvents[event] as readonly string[]).includes(process.platform)) {
          throw new Error(`${process.platform} has no event ${event}`)
        }
        const given = nativeEvent()
        this.announce(event, ...([given] as unknown as []))
        return given.defaultPrevented
      },
    }
  }
}

export const powerMonitor = new StandInPowerMonitor() satisfies Faithful<StandInPowerMonitor, PowerMonitor>

const blockers = new Map<number, string>()
let lastBlocker = 0

const fakeBlocker = {
  start(type: 'prevent-app-suspension' | 'prevent-display-sleep'): number {
    if (!['prevent-app-suspension', 'prevent-display-sleep'].includes(type)) {
      throw new TypeError(`Error processing argument at index 0, conversion failure from ${String(type)}`)
    }
    lastBlocker += 1
    if (register('powerSaveBlocker.start')) blockers.set(lastBlocker, type)
    record('power-blocker', [...blockers.values()])
    return lastBlocker
  },
  stop(id: number): boolean {
    const wasStarted = blockers.delete(id)
    record('power-blocker', [...blockers.values()])
    return wasStarted
  },
  isStarted: (id: number): boolean => blockers.has(id),
}

export const powerSaveBlocker = fakeBlocker satisfies Faithful<typeof fakeBlocker, PowerSaveBlocker>
export const activeBlockers = (): string[] => [...blockers.values()]
