import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockFile } from '#base/lock-file.ts'
import { hasModes } from '#test/support/file-mode.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'afterword-lock-file-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

test('a second process finds the lock by every path to the file, and has it after kill -9 of the first', async () => {
  const real = folder()
  const link = join(folder(), 'link')
  symlinkSync(real, link, 'junction')
  const script = `
    import { lockFile } from '#base/lock-file.ts'
    const outcome = lockFile(process.argv[1]) === null ? 'refused' : 'locked'
    gc()
    console.log(outcome)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script, join(real, 'lock')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  expect(String(said).trim()).toBe('locked')
  expect(lockFile(join(link, 'lock'))).toBeNull()
  child.kill('SIGKILL')
  await once(child, 'exit')
  const mine = lockFile(join(link, 'lock'))
  expect(mine).not.toBeNull()
  expect(lockFile(join(real, 'lock'))).toBeNull()
  mine?.close()
  const again = lockFile(join(real, 'lock'))
  expect(again).not.toBeNull()
  again?.close()
})

test.runIf(hasModes)('the file is for this user alone', () => {
  const umask = process.umask(0)
  onTestFinished(() => void process.umask(umask))
  const path = join(folder(), 'lock')
  lockFile(path)?.close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
