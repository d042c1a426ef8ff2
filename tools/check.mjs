// npm run check: everything except the browser tests, in this order. A warning is a failure.
import { checks, runCheck } from './checks.mjs'
import { install, node24, root, run } from './setup.mjs'
import path from 'node:path'

await install()
for (const check of checks) {
  const code = await runCheck(check)
  if (code !== 0) process.exit(code)
}
process.exitCode = await run(node24(), [path.join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run'])
