// npm run check: everything that is not a browser test, in this order, no warnings tolerated.
import { checks, runCheck } from './checks.mjs'
import { install, node24, root, run } from './setup.mjs'
import path from 'node:path'

await install()
for (const check of checks) {
  const code = await runCheck(check)
  if (code !== 0) process.exit(code)
}
process.exitCode = await run(node24(), [path.join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run'])
