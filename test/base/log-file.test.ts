import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { logFile } from '#base/log-file.ts'
import { expectMode, hasModes } from '#test/support/file-mode.ts'

let folder = ''
beforeEach(() => (folder = join(mkdtempSync(join(tmpdir(), 'afterword-log-')), 'log')))
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

test('lines are appended to a file that only this user can read', () => {
  const write = logFile(folder, 'core')
  write('one')
  write('two')
  logFile(folder, 'core')('three, after a restart')
  expect(read('core.log')).toBe('one\ntwo\nthree, after a restart\n')
  expectMode(folder, 0o700)
  expectMode(join(folder, 'core.log'), 0o600)
})

test('a full log moves on to a numbered file, and the oldest one is deleted', () => {
  const write = logFile(folder, 'core', { maxBytes: 40, maxFiles: 3 })
  for (let line = 0; line < 10; line += 1) write(`line ${line} of 20 bytes..`)
  expect(readdirSync(folder).toSorted()).toEqual(['core.1.log', 'core.2.log', 'core.log'])
  expect([read('core.2.log'), read('core.1.log'), read('core.log')].join('')).toBe(
    [7, 8, 9].map((line) => `line ${line} of 20 bytes..\n`).join(''),
  )
  for (const name of readdirSync(folder)) {
    expectMode(join(folder, name), 0o600)
    expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(40)
  }
})

test.runIf(hasModes)('a log that an older version left readable for others is closed to them', () => {
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'main.log'), 'old\n', { mode: 0o644 })
  logFile(folder, 'main')('new')
  expect(read('main.log')).toBe('old\nnew\n')
  expectMode(join(folder, 'main.log'), 0o600)
  expectMode(folder, 0o700)
})

test('a folder that cannot be made or that disappears stops nothing', () => {
  writeFileSync(folder, 'a file where the folder should be')
  const write = logFile(folder, 'core')
  expect(() => write('lost')).not.toThrow()
  rmSync(folder)
  write('written once the folder can be made')
  rmSync(folder, { recursive: true })
  write('written again')
  expect(read('core.log')).toBe('written again\n')
})

test('two threads that write the same log lose no line and mix none', async () => {
  const program = `
    const { workerData } = require('node:worker_threads')
    void import(workerData.module).then(({ logFile }) => {
      const write = logFile(workerData.folder, 'core', { maxBytes: 1_000_000, maxFiles: 2 })
      for (let line = 0; line < 500; line += 1) write(workerData.name + ' ' + line)
    })`
  const module = new URL('../../src/base/log-file.ts', import.meta.url).href
  const ended = ['a', 'b'].map(
    (name) =>
      new Promise<number>((done, fail) =>
        new Worker(program, { eval: true, workerData: { module, folder, name } }).on('exit', done).on('error', fail),
      ),
  )
  expect(await Promise.all(ended)).toEqual([0, 0])
  const lines = read('core.log').trimEnd().split('\n')
  for (const name of ['a', 'b'])
    expect(lines.filter((line) => line.startsWith(name))).toEqual(Array.from({ length: 500 }, (_, line) => `${name} ${line}`))
  expect(lines).toHaveLength(1000)
})

test('a closed terminal does not end the process, and the file still gets every line', async () => {
  const program = `
    const { openLog } = await import(process.argv[1])
    const log = openLog(process.argv[2], 'core')
    process.stdin.once('data', async () => {
      for (let line = 0; line < 20; line += 1) {
        log.warn('line', { line })
        await new Promise((done) => setTimeout(done, 2))
      }
      process.exit(0)
    })
    process.stdout.write('ready')`
  const module = new URL('../../src/base/log-file.ts', import.meta.url).href
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, module, join(folder, '..')])
  await once(child.stdout, 'data')
  child.stderr.destroy()
  child.stdin.write('go')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(
    read('core.log')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { line: number }).line),
  ).toEqual(Array.from({ length: 20 }, (_, line) => line))
})
