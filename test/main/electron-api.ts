/** What electron.d.ts says about platforms, and which of it a source file of the shell uses. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '#test/support/machine.ts'

export type Platform = 'darwin' | 'linux' | 'win32'
const everywhere: readonly Platform[] = ['darwin', 'linux', 'win32']

/** `PowerMonitor.lock-screen` (an event), `App.dock` (a member) → the platforms that have it. */
export type Declared = ReadonlyMap<string, readonly Platform[]>

export function readDeclarations(): Declared {
  const lines = readFileSync(join(repository, 'node_modules', 'electron', 'electron.d.ts'), 'utf8').split('\n')
  const declared = new Map<string, readonly Platform[]>()
  let container = ''
  let platforms: readonly Platform[] = everywhere
  for (const line of lines) {
    const opened = /^ {2}(?:interface|class) (\w+)/.exec(line)
    if (opened) container = opened[1]!
    const tag = /^ +\* @platform ([\w,]+)/.exec(line)
    if (tag) platforms = tag[1]!.split(',') as Platform[]
    const event = /^ {4}on\(event: '([^']+)'/.exec(line)
    const member = /^ {4}(?:static )?(?:readonly )?(\w+)[?(:]/.exec(line)
    const name = event?.[1] ?? (member === null || isEmitterMethod(line) ? undefined : member[1])
    if (name !== undefined && container !== '') {
      const key = `${container}.${name}`
      // Overloads: offered where any of them is.
      declared.set(key, [...new Set([...(declared.get(key) ?? []), ...platforms])])
    }
    if (name !== undefined || isEmitterMethod(line)) platforms = everywhere
  }
  return declared
}

const isEmitterMethod = (line: string): boolean =>
  /^ {4}(?:on|off|once|addListener|removeListener|prependListener|prependOnceListener)\(/.test(line)

/** Electron's objects that the shell imports, by their class. */
const singletons: Readonly<Record<string, string>> = {
  app: 'App',
  clipboard: 'Clipboard',
  commandLine: 'CommandLine',
  dialog: 'Dialog',
  ipcMain: 'IpcMain',
  Menu: 'Menu',
  nativeTheme: 'NativeTheme',
  powerMonitor: 'PowerMonitor',
  powerSaveBlocker: 'PowerSaveBlocker',
  protocol: 'Protocol',
  session: 'Session',
  shell: 'Shell',
  systemPreferences: 'SystemPreferences',
}
/** Classes of the objects that variables hold. */
const instances = [
  'BrowserWindow',
  'WebContents',
  'Session',
  'UtilityProcess',
  'DownloadItem',
  'WebFrameMain',
  'MenuItem',
  'Dock',
]
const optionsOf: Readonly<Record<string, string>> = { BrowserWindow: 'BrowserWindowConstructorOptions' }

export interface Use {
  readonly api: string
  readonly platforms: readonly Platform[]
}

/** Every use of an API that some platform lacks. */
export function partialUses(source: string, declared: Declared): Use[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  const found = new Map<string, readonly Platform[]>()
  const check = (containers: readonly string[], name: string): void => {
    const known = containers.map((container) => `${container}.${name}`).filter((api) => declared.has(api))
    // A name that one of these classes has everywhere is taken to be that one.
    const isPartial = known.length > 0 && known.every((api) => declared.get(api)!.length < everywhere.length)
    if (isPartial) found.set(known[0]!, declared.get(known[0]!)!)
  }
  for (const [, receiver = '', name = ''] of code.matchAll(/(\w+)\??\.(\w+)/g)) check(containersOf(receiver), name)
  for (const [, receiver = '', name = ''] of code.matchAll(/(\w+)\??\.(?:on|once|addListener)\(\s*'([^']+)'/g)) {
    check(containersOf(receiver), name)
  }
  for (const [, made = '', options = ''] of code.matchAll(/new (\w+)\(\{([\s\S]*?)\n {2}\}\)/g)) {
    const container = optionsOf[made]
    if (container === undefined) continue
    for (const [, name = ''] of options.matchAll(/^ {4}(\w+):/gm)) check([container], name)
  }
  return [...found].map(([api, platforms]) => ({ api, platforms }))
}

function containersOf(receiver: string): readonly string[] {
  const singleton = singletons[receiver]
  return singleton === undefined ? instances : [singleton]
}
