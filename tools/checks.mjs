import path from 'node:path'
import { node24, root, run } from './setup.mjs'

/** Format, lint, types, dead code. Each is a package's own program, run with Node 24. */
export const checks = [
  { name: 'oxfmt', program: 'oxfmt/bin/oxfmt', args: ['--check'] },
  { name: 'oxlint', program: 'oxlint/bin/oxlint', args: [] },
  // One project at a time: parallel builds may read half-written declarations.
  { name: 'tsc', program: 'typescript/bin/tsc', args: ['-b', '--builders', '1'] },
  { name: 'knip', program: 'knip/bin/knip.js', args: ['--treat-config-hints-as-errors'] },
]

export function runCheck(check) {
  console.log(`\n${check.name} ${check.args.join(' ')}`.trimEnd())
  return run(node24(), [path.join(root, 'node_modules', ...check.program.split('/')), ...check.args])
}
