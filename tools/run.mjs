// npm run preview | service | electron | llama | bench | eval | faults | pictures: sets up, builds if needed, runs the program.
// Passes further arguments on.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { installLlama } from './llama.mjs'
import { build, fail, install, node24, root, run } from './setup.mjs'

const [what, ...rest] = process.argv.slice(2)
const at = (...parts) => path.join(root, ...parts)

async function built(entry) {
  await build()
  return run(node24(), [at('out', 'main', entry), ...rest])
}

/** Each file is a program that prints its results. A missed goal is only a result; a crash is a failure. */
async function bench() {
  await build()
  const files = readdirSync(at('test', 'bench')).filter(
    (name) => name.endsWith('.bench.ts') && rest.every((part) => name.includes(part)),
  )
  if (files.length === 0) fail('No benchmark has that name.')
  let worst = 0
  for (const file of files.toSorted()) {
    console.log(`\n${file.replace('.bench.ts', '')}`)
    worst = Math.max(worst, await run(node24(), ['--expose-gc', at('test', 'bench', file)]))
  }
  return worst
}

const evaluate = () => run(node24(), [at('test', 'eval', 'eval.ts'), ...rest])

const electron = () => run(node24(), [at('tools', 'fetch-electron.mjs'), at('node_modules', 'electron')])

/** Installs the runtime for local draft models; the app works without it. */
async function llama() {
  console.log('Installing node-llama-cpp, which runs GGUF models (about 100 MB, without a model).')
  if ((await installLlama()) !== 0) return 1
  console.log('Installed. Put a model (a .gguf file, usually 2 to 6 GB) into the folder that Settings, AI drafting shows.')
  return 0
}

/** Takes pictures of every page and dialog; the scenes of test/renderer show them. */
function pictures() {
  const folder = path.resolve(rest[0] ?? at('test-results', 'pictures'))
  console.log(`The pictures go to ${folder}.`)
  const tests = at('test', 'renderer', 'pages.test.ts')
  return run(node24(), [at('node_modules', 'vitest', 'vitest.mjs'), 'run', tests], { env: { AFTERWORD_PICTURES: folder } })
}

const commands = {
  preview: () => built('preview.js'),
  service: () => built('service.js'),
  faults: () => run(node24(), [at('tools', 'test-run.mjs'), 'faults']),
  bench,
  electron,
  llama,
  eval: evaluate,
  pictures,
}

const command = Object.hasOwn(commands, what ?? '') ? commands[what] : fail(`Name one of: ${Object.keys(commands).join(', ')}.`)
await install()
process.exitCode = await command()
