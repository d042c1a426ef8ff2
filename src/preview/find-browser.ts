import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'

export interface Machine {
  readonly platform: NodeJS.Platform
  readonly environment: NodeJS.ProcessEnv
  readonly home: string
  readonly isProgram: (file: string) => boolean
}

const linuxPrograms = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  'brave-browser',
]

const macPrograms = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'Brave Browser.app/Contents/MacOS/Brave Browser',
  'Chromium.app/Contents/MacOS/Chromium',
]

const windowsPrograms = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
  ['BraveSoftware', 'Brave-Browser', 'Application', 'brave.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
]
/** For everybody, for everybody in 32 bits, for this user alone. */
const windowsFolders = ['ProgramFiles', 'ProgramW6432', 'ProgramFiles(x86)', 'LOCALAPPDATA']

const thisMachine: Machine = {
  platform: process.platform,
  environment: process.env,
  home: homedir(),
  isProgram: isExecutable,
}

/** An installed Chromium, or null. CHROME_PATH names another one. */
export function findBrowser(machine: Machine = thisMachine): string | null {
  const named = machine.environment['CHROME_PATH']
  if (named) return machine.isProgram(named) ? named : null
  return candidates(machine).find((file) => machine.isProgram(file)) ?? null
}

function candidates({ platform, environment, home }: Machine): string[] {
  switch (platform) {
    case 'win32': {
      const folders = windowsFolders.map((name) => environment[name] ?? '').filter((folder) => folder !== '')
      return windowsPrograms.flatMap((parts) => folders.map((folder) => win32.join(folder, ...parts)))
    }
    case 'darwin': {
      const folders = ['/Applications', posix.join(home, 'Applications')]
      return macPrograms.flatMap((program) => folders.map((folder) => posix.join(folder, program)))
    }
    default: {
      const folders = (environment['PATH'] ?? '').split(':').filter((folder) => folder !== '')
      return linuxPrograms.flatMap((name) => folders.map((folder) => posix.join(folder, name)))
    }
  }
}

export function hasDisplay({ platform, environment }: Pick<Machine, 'platform' | 'environment'> = thisMachine): boolean {
  return platform !== 'linux' || Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY'])
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
