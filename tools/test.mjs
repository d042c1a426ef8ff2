// npm test: on a fresh machine this alone sets everything up. The rest needs Node 24.
import path from 'node:path'
import { install, node24, root, run } from './setup.mjs'

await install()
process.exitCode = await run(node24(), [path.join(root, 'tools', 'test-run.mjs'), 'tests'])
