/** Builds `out/` if it is stale. `npm test` has built it already. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repository } from './machine.ts'

export function build(): void {
  const program = `import { build } from ${JSON.stringify(join(repository, 'tools', 'setup.mjs'))}; await build()`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program])
  if (status !== 0) throw new Error(`${stdout.toString()}${stderr.toString()}`)
}
