import { existsSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { options } from './options.ts'

const names = [
  'home',
  'appData',
  'assets',
  'userData',
  'sessionData',
  'temp',
  'exe',
  'module',
  'desktop',
  'documents',
  'downloads',
  'music',
  'pictures',
  'videos',
  'recent',
  'logs',
  'crashDumps',
] as const
export type PathName = (typeof names)[number]

const set = new Map<PathName, string>()
let fixedSessionData: string | null = null

/** Chromium reads the storage folder once, at `ready`. */
export function fixSessionData(): string {
  fixedSessionData ??= pathOf('sessionData')
  return fixedSessionData
}

export function setPathOf(name: PathName, path: string): void {
  if (!names.includes(name)) throw new Error(`Failed to set path: unknown name '${name}'`)
  if (!isAbsolute(path)) throw new Error('Path must be absolute')
  if (!existsSync(path)) throw new Error(`Failed to set '${name}' path: the folder does not exist`)
  set.set(name, path)
}

export function pathOf(name: PathName): string {
  if (!names.includes(name)) throw new Error(`Failed to get '${name}' path`)
  const given = set.get(name)
  if (given !== undefined) return given
  switch (name) {
    case 'home':
      return homedir()
    case 'appData':
      return process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
    case 'userData':
      return join(pathOf('appData'), 'Afterword')
    case 'sessionData':
      return pathOf('userData')
    case 'temp':
      return tmpdir()
    case 'exe':
    case 'module':
      return process.execPath
    case 'assets':
      return options.appPath
    case 'logs':
    case 'crashDumps':
      return join(pathOf('userData'), name)
    default:
      return join(homedir(), name)
  }
}
