import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { dump, load } from 'js-yaml'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { build } from '#test/support/built-app.ts'
import { fuseWire } from '#test/support/dummy-electron.ts'
import { repository } from '#test/support/machine.ts'

let folder: string
beforeAll(build)
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'afterword-release-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function tool(name: string, ...given: string[]) {
  const program = join(repository, 'tools', 'package', name)
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...given], { cwd: folder, encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

/** In the order of the fuses: only archive integrity and the archive alone are on. */
const ours = '00001100'

// A program made of a script and fuses behind it is a program on Unix alone.
describe.skipIf(process.platform === 'win32')('verifying a package', () => {
  function program(fuses: string, script: string): string {
    const file = join(folder, 'afterword')
    writeFileSync(file, Buffer.concat([Buffer.from(`#!/bin/sh\n${script}\nexit\n`), fuseWire(fuses)]))
    chmodSync(file, 0o755)
    return file
  }

  test('starts it with --self-test, and believes its exit code', () => {
    const asked = join(folder, 'asked')
    expect(tool('verify.mjs', program(ours, `echo "$@" > '${asked}'`))).toMatchObject({ status: 0 })
    expect(readFileSync(asked, 'utf8')).toBe('--self-test\n')
    const failed = tool('verify.mjs', program(ours, 'echo "self-test: failed at record"; exit 1'))
    expect(failed.status).toBe(1)
    expect(failed.text).toMatch(/failed at record[^]*the self-test ended with 1/)
  })

  test.each([...ours].map((_, index) => index))('stops at fuse %i if it is not as the settings say', (index) => {
    const flipped = [...ours].map((fuse, at) => (at === index ? String(1 - Number(fuse)) : fuse)).join('')
    const { status, text } = tool('verify.mjs', program(flipped, `touch '${join(folder, 'started')}'`))
    expect(status).toBe(1)
    expect(text).toContain('the fuse')
    expect(readdirSync(folder)).not.toContain('started')
  })
})

describe('bringing the packages of several jobs together', () => {
  const feed = (version: string, url: string) => dump({ version, files: [{ url, sha512: `hash of ${url}`, size: 1 }], path: url })

  function job(name: string, files: Record<string, string>): string {
    mkdirSync(join(folder, name))
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, file), text)
    return name
  }

  test('one feed for macOS names the files of both processors', () => {
    const arm = job('arm64', { 'app-arm64.zip': 'a', 'latest-mac.yml': feed('1.0.0', 'app-arm64.zip') })
    const intel = job('x64', { 'app-x64.zip': 'x', 'latest-mac.yml': feed('1.0.0', 'app-x64.zip') })
    expect(tool('merge-feeds.mjs', 'all', arm, intel)).toMatchObject({ status: 0 })
    expect(readdirSync(join(folder, 'all')).toSorted()).toEqual(['app-arm64.zip', 'app-x64.zip', 'latest-mac.yml'])
    const merged = load(readFileSync(join(folder, 'all', 'latest-mac.yml'), 'utf8')) as { files: { url: string }[] }
    expect(merged.files.map(({ url }) => url)).toEqual(['app-arm64.zip', 'app-x64.zip'])
  })

  test('nothing is brought together that is of two versions or would be written over', () => {
    const old = job('old', { 'latest-mac.yml': feed('1.0.0', 'app-arm64.zip') })
    const newer = job('new', { 'latest-mac.yml': feed('1.1.0', 'app-x64.zip') })
    expect(tool('merge-feeds.mjs', 'all', old, newer)).toMatchObject({ status: 1 })
    const one = job('one', { 'app.deb': '1' })
    const two = job('two', { 'app.deb': '2' })
    expect(tool('merge-feeds.mjs', 'both', one, two)).toMatchObject({ status: 1 })
  })
})

test('a native file says for which system and processor it was built, whatever it is called', async () => {
  const file = pathToFileURL(join(repository, 'tools', 'package', 'binary-format.mjs')).href
  const { binaryFormat } = (await import(file)) as { binaryFormat(file: string): { platform: string; arch: string } | null }
  const prebuilds = join(repository, 'node_modules', 'better-sqlite3', 'prebuilds')
  const read = readdirSync(prebuilds).map((name) => {
    const { platform, arch } = binaryFormat(join(prebuilds, name))!
    return [name.replace('musl', '').replace('.node', ''), `${platform}-${arch}`]
  })
  expect(read).toHaveLength(8)
  for (const [name, format] of read) expect(format).toBe(name)
  expect(binaryFormat(join(repository, 'package.json'))).toBe(null)
})
