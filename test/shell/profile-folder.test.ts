import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { profileFolder } from '#shell/profile-folder.ts'
import { lockProfile } from '#shell/profile-lock.ts'
import { hasModes } from '#test/support/file-mode.ts'

let home = ''
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'afterword-home-'))))
afterEach(() => rmSync(home, { recursive: true }))

const modeOf = (path: string): number => statSync(path).mode & 0o777

test('the folder is in each system’s place for an application’s own data', async () => {
  const at = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv = {}) => profileFolder({ environment, platform, home })
  expect(await at('linux')).toBe(join(home, '.local/share/Afterword'))
  expect(await at('linux', { XDG_DATA_HOME: join(home, 'data') })).toBe(join(home, 'data/Afterword'))
  expect(await at('darwin')).toBe(join(home, 'Library/Application Support/Afterword'))
  expect(await at('win32')).toBe(join(home, 'AppData/Local/Afterword'))
  expect(await at('win32', { LOCALAPPDATA: join(home, 'local') })).toBe(join(home, 'local/Afterword'))
  expect(await at('win32', { AFTERWORD_PROFILE: join(home, 'mine') })).toBe(join(home, 'mine'))
})

test.runIf(hasModes)('a folder that others could read is closed to them', async () => {
  const folder = join(home, 'mine')
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  await profileFolder({ environment: { AFTERWORD_PROFILE: folder }, platform: 'linux', home })
  expect(modeOf(folder)).toBe(0o700)
})

describe('a profile that roams with a Windows account', () => {
  let roaming = ''
  let local = ''
  const open = (move?: (from: string, to: string) => void) =>
    profileFolder({
      environment: { APPDATA: join(home, 'Roaming'), LOCALAPPDATA: join(home, 'Local') },
      platform: 'win32',
      home,
      ...(move === undefined ? {} : { move }),
    })
  const logOf = (folder: string): string => readFileSync(join(folder, 'log', 'main.log'), 'utf8')

  beforeEach(() => {
    roaming = join(home, 'Roaming', 'Afterword')
    local = join(home, 'Local', 'Afterword')
    mkdirSync(join(roaming, 'recordings'), { recursive: true })
    mkdirSync(join(home, 'Local'))
    writeFileSync(join(roaming, 'vault.db'), 'records')
    writeFileSync(join(roaming, 'recordings', 'one.afr'), 'sound')
  })

  test('is moved as a whole, also over an empty folder', async () => {
    mkdirSync(local)
    expect(await open()).toBe(local)
    expect(existsSync(roaming)).toBe(false)
    expect(readFileSync(join(local, 'vault.db'), 'utf8')).toBe('records')
    expect(readFileSync(join(local, 'recordings', 'one.afr'), 'utf8')).toBe('sound')
    expect(logOf(local)).toContain('profile.moved-from-roaming')
    expect(await open()).toBe(local)
  })

  test('stays, untouched, where a local one exists', async () => {
    mkdirSync(local)
    writeFileSync(join(local, 'vault.db'), 'newer records')
    expect(await open()).toBe(local)
    expect(readFileSync(join(local, 'vault.db'), 'utf8')).toBe('newer records')
    expect(readFileSync(join(roaming, 'vault.db'), 'utf8')).toBe('records')
  })

  test('stays in use while an app runs from it', async () => {
    const running = await lockProfile(roaming, () => 'here')
    expect(await open()).toBe(roaming)
    expect(existsSync(local)).toBe(false)
    if ('release' in running) running.release()
    expect(await open()).toBe(local)
  })

  test.each(['EXDEV', 'EPERM', 'ENOSPC'])('stays in use, and the log says so, where it cannot be moved (%s)', async (code) => {
    const refuse = (): void => {
      throw Object.assign(new Error('cannot be moved'), { code })
    }
    expect(await open(refuse)).toBe(roaming)
    expect(existsSync(local)).toBe(false)
    expect(readdirSync(roaming)).toEqual(expect.arrayContaining(['vault.db', 'recordings']))
    expect(logOf(roaming)).toContain(code)
    // The app now takes the lock of the folder it was given.
    const lock = await lockProfile(roaming, () => '')
    expect('release' in lock).toBe(true)
    if ('release' in lock) lock.release()
  })

  test('is moved once when the app is started several times at once', async () => {
    const script = `
      import { profileFolder } from '#shell/profile-folder.ts'
      console.log(await profileFolder({ environment: JSON.parse(process.argv[1]), platform: 'win32' }))`
    const environment = JSON.stringify({ APPDATA: join(home, 'Roaming'), LOCALAPPDATA: join(home, 'Local') })
    const starts = Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, environment], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let said = ''
      child.stdout.on('data', (part) => (said += String(part)))
      await once(child, 'close')
      return said.trim()
    })
    expect(await Promise.all(starts)).toEqual([local, local, local, local])
    expect(existsSync(roaming)).toBe(false)
    expect(readFileSync(join(local, 'vault.db'), 'utf8')).toBe('records')
  })

  test('a start that finds it being moved waits and goes where it went', async () => {
    const migrator = await lockProfile(roaming, () => 'moving')
    const opened = open()
    await new Promise((done) => setTimeout(done, 120))
    renameSync(roaming, local)
    if ('release' in migrator) migrator.release()
    expect(await opened).toBe(local)
    expect(existsSync(roaming)).toBe(false)
  })
})
