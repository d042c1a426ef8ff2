import { execFile } from 'node:child_process'
import type { Clock } from './clock.ts'

export interface Network {
  isMetered(): Promise<boolean | null>
}

export const unknownNetwork: Network = { isMetered: async () => null }

export type Ask = (program: string, args: readonly string[]) => Promise<string | null>

const TIMEOUT_MS = 3000
const run: Ask = (program, args) =>
  new Promise((resolve) => {
    const env = { ...process.env, LC_ALL: 'C' }
    execFile(program, args, { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', env, windowsHide: true }, (error, stdout) =>
      resolve(error === null ? stdout : null),
    )
  })

const KEPT_MS = 30_000

export function systemNetwork(platform: string, clock: Pick<Clock, 'elapsed'>, ask: Ask = run): Network {
  if (platform !== 'linux') return unknownNetwork
  let known: { readonly at: number; readonly answer: Promise<boolean | null> } | null = null
  return {
    isMetered() {
      if (known === null || clock.elapsed() - known.at >= KEPT_MS) known = { at: clock.elapsed(), answer: askNetworkManager(ask) }
      return known.answer
    },
  }
}

const name = 'org.freedesktop.NetworkManager'
const path = '/org/freedesktop/NetworkManager'

async function askNetworkManager(ask: Ask): Promise<boolean | null> {
  const byBus = await ask('busctl', ['--system', '--auto-start=no', 'get-property', name, path, name, 'Metered'])
  const told = /^u ([0-4])\s*$/.exec(byBus ?? '')?.[1]
  if (told !== undefined) return said[told] ?? null
  const byDevice = await ask('nmcli', ['-t', '-f', 'GENERAL.STATE,GENERAL.METERED', 'device', 'show'])
  return byDevice === null ? null : meteredIn(byDevice)
}

/** NetworkManager's NMMetered values: 1 yes, 2 no, 3 guessed yes, 4 guessed no. */
const said: Readonly<Record<string, boolean>> = { 1: true, 2: false, 3: true, 4: false }

function meteredIn(devices: string): boolean | null {
  const connected = devices.split(/\n\s*\n/).filter((device) => /^GENERAL\.STATE:100\b/m.test(device))
  const words = connected.map((device) => /^GENERAL\.METERED:(yes|no)\b/m.exec(device)?.[1])
  if (words.includes('yes')) return true
  return words.includes('no') ? false : null
}
