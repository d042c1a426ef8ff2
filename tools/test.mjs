// npm test: sets up a fresh machine, then runs the tests under Node 24.
import path from 'node:path'
import { install, node24, root, run } from './setup.mjs'

await install()
process.exitCode = await run(node24(), [path.join(root, 'tools', 'test-run.mjs'), 'tests'])
