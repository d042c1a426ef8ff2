import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemTimeZone } from '#base/clock.ts'
import { leftOut } from '#test/support/left-out.ts'
import { findProgram } from '#test/support/machine.ts'

/** A core thread that started in New York, and a laptop that is then taken to Tokyo. */
const program = `
  import { symlinkSync, unlinkSync } from 'node:fs'
  import { SHARE_ENV, Worker } from 'node:worker_threads'
  const source = \`
    import { parentPort } from 'node:worker_threads'
    const { systemTimeZone } = await import('\${process.argv[1]}')
    parentPort.on('message', () => parentPort.postMessage([new Date(0).getHours(), systemTimeZone(), new Date(0).getHours()]))
    parentPort.postMessage('ready')\`
  const worker = new Worker(source, { eval: true, env: SHARE_ENV })
  const next = () => new Promise((done) => worker.once('message', done))
  const ask = () => (worker.postMessage('ask'), next())
  await next()
  const home = await ask()
  unlinkSync('/etc/localtime')
  symlinkSync('/usr/share/zoneinfo/Asia/Tokyo', '/etc/localtime')
  const away = await ask()
  console.log(JSON.stringify({ home, away }))
  process.exit()`

const unshare = findProgram('unshare')
const own = process.getuid?.() === 0 ? ['-m'] : ['-rm']

/** A separate mount namespace, so that this machine's time zone does not change. */
function inOwnEtc(etc: string, ...command: string[]): string {
  const script = 'mount --bind "$1" /etc && shift && exec "$@"'
  const env = { PATH: process.env['PATH'] }
  return execFileSync(unshare!, [...own, 'sh', '-c', script, 'sh', etc, ...command], {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function noNamespace(): string | null {
  if (unshare === null) return 'no unshare (Debian: util-linux)'
  const etc = mkdtempSync(join(tmpdir(), 'afterword-etc-'))
  try {
    inOwnEtc(etc, 'true')
    return null
  } catch {
    return 'this system lets nobody here mount a folder of their own'
  } finally {
    rmSync(etc, { recursive: true })
  }
}

test.skipIf(leftOut('a laptop that travels', noNamespace()))('a running thread follows the system to another time zone', () => {
  const etc = mkdtempSync(join(tmpdir(), 'afterword-etc-'))
  onTestFinished(() => rmSync(etc, { recursive: true }))
  for (const name of ['ld.so.cache', 'passwd']) cpSync(join('/etc', name), join(etc, name))
  symlinkSync('/usr/share/zoneinfo/America/New_York', join(etc, 'localtime'))
  const module = new URL('../../src/base/clock.ts', import.meta.url).href
  const found = JSON.parse(inOwnEtc(etc, process.execPath, '--input-type=module', '-e', program, module)) as object
  expect(found).toEqual({
    home: [19, 'America/New_York', 19],
    // Before the question the thread still has the zone of its start.
    away: [19, 'Asia/Tokyo', 9],
  })
})

test('a time zone that the person set for this process stays', () => {
  const environment = { TZ: 'Europe/Berlin' }
  systemTimeZone(environment)
  expect(environment).toEqual({ TZ: 'Europe/Berlin' })
})
