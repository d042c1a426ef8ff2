import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { withoutCoreDumps } from '#base/core-dumps.ts'

const limits = `readFileSync('/proc/self/limits', 'utf8').split('\\n').find((line) => line.includes('core file')).slice(26).split(/ +/, 2).join(' ')`

/** The soft and hard limit of a program that was started where cores are allowed, and which memory a core would hold. */
function asked(script: string): string {
  const shell = 'ulimit -c unlimited 2>/dev/null; exec "$0" "$@"'
  return execFileSync('/bin/sh', ['-c', shell, process.execPath, '--input-type=module', '-e', script], {
    encoding: 'utf8',
  }).trim()
}

test.runIf(process.platform === 'linux')('a process that forbids core files leaves none, nor do those it starts', () => {
  const script = `
    import { execFileSync } from 'node:child_process'
    import { readFileSync } from 'node:fs'
    import { forbidCoreDumps } from '#base/core-dumps.ts'
    forbidCoreDumps()
    const child = execFileSync('cat', ['/proc/self/limits', '/proc/self/coredump_filter'], { encoding: 'utf8' })
    console.log(JSON.stringify([${limits}, Number.parseInt(readFileSync('/proc/self/coredump_filter', 'utf8'), 16), /core file size +0 +0/.test(child), child.trim().endsWith('00000000')]))`
  expect(JSON.parse(asked(script))).toEqual(['0 0', 0, true, true])
})

test.runIf(process.platform === 'linux')(
  'a program that is started without core files has the limit from its first moment',
  () => {
    const script = `
    import { execFileSync } from 'node:child_process'
    import { withoutCoreDumps } from '#base/core-dumps.ts'
    const { command, flags } = withoutCoreDumps('grep', ['core file size', '/proc/self/limits'])
    console.log(/ 0 +0 /.test(execFileSync(command, flags, { encoding: 'utf8' })))`
    expect(asked(script)).toBe('true')
  },
)

test('arguments reach it as they are', () => {
  const { command, flags } = withoutCoreDumps(process.execPath, [
    '-e',
    'console.log(process.argv.slice(1).join("|"))',
    'a b',
    '$(c)',
    "d'",
  ])
  expect(execFileSync(command, flags, { encoding: 'utf8' }).trim()).toBe("a b|$(c)|d'")
})
