import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { lockProfile, socketPath } from '#shell/profile-lock.ts'
import { hasModes } from '#test/support/file-mode.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afterword-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a second start is told by the first where it is', async () => {
  const first = await lockProfile(folder, () => 'here')
  expect(await lockProfile(folder, () => 'not me')).toEqual({ answered: 'here' })
  if ('release' in first) first.release()
})

test('whoever cannot read the profile is told nothing', async () => {
  const first = await lockProfile(folder, () => 'here')
  writeFileSync(join(folder, 'knock.key'), 'another secret of the same length')
  expect(await lockProfile(folder, () => '')).toEqual({ answered: '' })
  if ('release' in first) first.release()
})

test('a link to the folder finds the same lock', async () => {
  const link = `${folder}-link`
  symlinkSync(folder, link, 'junction')
  onTestFinished(() => unlinkSync(link))
  const first = await lockProfile(folder, () => 'here')
  expect(await lockProfile(link, () => 'not me')).toEqual({ answered: 'here' })
  if ('release' in first) first.release()
})

test('where the disk ignores case, letters of another case find the same lock', () => {
  const [one, other] = [join(folder, 'Afterword'), join(folder, 'afterWORD')]
  for (const path of [one, other]) mkdirSync(path, { recursive: true })
  expect(socketPath(one, 'win32')).toBe(socketPath(other, 'win32'))
  if (readdirSync(folder).length === 2) expect(socketPath(one, 'linux')).not.toBe(socketPath(other, 'linux'))
})

test('two folders are two locks', async () => {
  const first = await lockProfile(folder, () => '')
  mkdirSync(join(folder, 'other'))
  const other = await lockProfile(join(folder, 'other'), () => '')
  expect('release' in first && 'release' in other).toBe(true)
  if ('release' in first) first.release()
  if ('release' in other) other.release()
})

/** Another start: says whether it has the lock, or what the one that has it answered, and stays. */
function anotherStart() {
  const script = `
    import { lockProfile } from '#shell/profile-lock.ts'
    const lock = await lockProfile(process.argv[1], () => 'child')
    console.log('release' in lock ? 'locked' : lock.answered)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { child, said: once(child.stdout, 'data').then(([data]) => String(data).trim()) }
}

test('a lock ends with its process, even by kill -9', async () => {
  const { child, said } = anotherStart()
  expect(await said).toBe('locked')
  expect(await lockProfile(folder, () => '')).toEqual({ answered: 'child' })
  child.kill('SIGKILL')
  await once(child, 'exit')
  const after = await lockProfile(folder, () => '')
  expect('release' in after).toBe(true)
  if ('release' in after) after.release()
})

test('of many starts at once one alone opens the records, and so there is one that sends what waits', async () => {
  const starts = Array.from({ length: 5 }, () => anotherStart())
  const said = await Promise.all(starts.map((start) => start.said))
  expect(said.toSorted()).toEqual(['child', 'child', 'child', 'child', 'locked'])
  for (const { child } of starts) child.kill('SIGKILL')
})

test.runIf(hasModes)(
  'where a lock is a file it is in the profile, for this user alone, unless its path would be too long for a socket',
  async () => {
    const file = join(folder, 'instance.sock')
    const first = await lockProfile(folder, () => 'here', 'darwin')
    expect(readdirSync(folder)).toContain('instance.sock')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await lockProfile(folder, () => 'not me', 'darwin')).toEqual({ answered: 'here' })
    if ('release' in first) first.release()
    const long = (bytes: number): string => {
      const path = join(folder, 'p'.repeat(bytes - '/instance.sock'.length - Buffer.byteLength(folder) - 1))
      mkdirSync(path)
      return path
    }
    const [fits, tooLong] = [long(103), long(104)]
    expect(socketPath(fits, 'darwin', '/tmp')).toBe(`${fits}/instance.sock`)
    expect(socketPath(tooLong, 'darwin', '/tmp')).toMatch(/^\/tmp\/afterword-[0-9a-f]{24}\.sock$/)
  },
)

test('a lock file that a crash left behind keeps nobody out', async () => {
  const script = `
    import { lockProfile } from '#shell/profile-lock.ts'
    await lockProfile(process.argv[1], () => '', 'darwin')
    process.kill(process.pid, 'SIGKILL')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder])
  await once(child, 'exit')
  expect(readdirSync(folder)).toContain('instance.sock')
  const lock = await lockProfile(folder, () => '', 'darwin')
  expect('release' in lock).toBe(true)
  if ('release' in lock) lock.release()
})
