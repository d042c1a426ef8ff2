import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { words } from '#preview/open-window.ts'
import { repository } from '#test/support/machine.ts'

test.skipIf(process.platform === 'win32')('a start beside an app that hangs ends with a sentence and an error code', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'afterword-second-start-'))
  onTestFinished(() => rmSync(profile, { recursive: true, force: true }))
  const script = `
    import { lockProfile } from '#shell/profile-lock.ts'
    await lockProfile(process.argv[1], () => 'http://here')
    console.log('locked')
    setInterval(() => {}, 1000)`
  const first = spawn(process.execPath, ['--input-type=module', '-e', script, profile], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void first.kill('SIGKILL'))
  await once(first.stdout, 'data')
  first.kill('SIGSTOP')

  const environment = { ...process.env, AFTERWORD_PROFILE: profile, AFTERWORD_NO_OPEN: '1' }
  const second = spawn(process.execPath, [join(repository, 'src', 'preview', 'index.ts')], { env: environment })
  let said = ''
  second.stdout.on('data', (part: Buffer) => (said += part.toString()))
  const [code] = (await once(second, 'exit')) as [number]
  expect([code, said.trim()]).toEqual([1, words.notResponding])
})
