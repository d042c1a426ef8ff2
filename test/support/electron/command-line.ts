import type { CommandLine } from 'electron'
import type { Faithful } from './native-emitter.ts'
import { register } from './registrations.ts'

const switches = new Map<string, string>()
/** What Chromium started with: switches that come later than `ready` have no effect on it. */
let effective: ReadonlyMap<string, string> | null = null

export function parseArguments(given: readonly string[]): void {
  for (const argument of given) {
    if (argument === '--') return
    const match = /^--([^=]+)(?:=(.*))?$/s.exec(argument)
    if (match) switches.set(match[1]!.toLowerCase(), match[2] ?? '')
  }
}

export function freezeSwitches(): void {
  effective = new Map(switches)
}

export function effectiveSwitch(name: string): string | undefined {
  return (effective ?? switches).get(name)
}

const fake = {
  appendSwitch(name: string, value = ''): void {
    if (register(`commandLine.appendSwitch:${name}`)) switches.set(name.toLowerCase(), value)
  },
  hasSwitch: (name: string): boolean => switches.has(name.toLowerCase()),
  getSwitchValue: (name: string): string => switches.get(name.toLowerCase()) ?? '',
  removeSwitch: (name: string): void => void switches.delete(name.toLowerCase()),
}

export const commandLine = fake satisfies Faithful<typeof fake, CommandLine>
