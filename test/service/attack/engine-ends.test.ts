import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { EngineProcess } from '#engines/engine-host.ts'
import { forkedEngines } from '#engines/engine-host.ts'
import { openTextEngines, usualTextLimits } from '#engines/texts/text-engines.ts'
import { heavyTexts } from '#test/support/heavy-texts.ts'

const folder = mkdtempSync(join(tmpdir(), 'afterword-engine-ends-'))
const engineSide = new URL('../../../src/engines/engine-side.ts', import.meta.url).href
const engine = join(folder, 'engine.mjs')
const starter = join(folder, 'starter.mjs')
writeFileSync(
  engine,
  `import { writeSync } from 'node:fs'
   import { listenToStarter } from ${JSON.stringify(engineSide)}
   listenToStarter(() => {
     writeSync(1, String(process.pid))
     for (;;);
   })`,
)
writeFileSync(
  starter,
  `import { fork } from 'node:child_process'
   const child = fork(${JSON.stringify(engine)}, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
   child.send('work')`,
)

let enginePid: number
afterEach(() => {
  try {
    process.kill(enginePid, 'SIGKILL')
  } catch {
    // it has ended, as it should
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

test('an engine that is computing ends soon after its starter was killed', async () => {
  const service = spawn(process.execPath, [starter], { stdio: ['ignore', 'pipe', 'ignore'] })
  const closed = once(service, 'close')
  const [pid] = (await once(service.stdout, 'data')) as [Buffer]
  enginePid = Number(String(pid))
  service.kill('SIGKILL')
  // Both write to this pipe: it closes when both are gone.
  const [, signal] = (await closed) as [null, string]
  expect(signal).toBe('SIGKILL')
})

describe('an engine that was ended from outside', () => {
  const said = { kind: 'text', text: heavyTexts['questions']!(6000), client_names: [] } as const
  const work = { kind: 'draft', template: 'soap', own: null, session: null, client: null, said } as const

  /** Ends the first `count` engines as soon as they have work. */
  async function draftWhile(count: number): Promise<{ started: number; result: unknown }> {
    const host = forkedEngines()
    let started = 0
    const engines = openTextEngines(
      {
        start(program, limits): EngineProcess {
          const process = host.start(program, limits)
          const isEnded = (started += 1) <= count
          return { ...process, send: (message) => (isEnded ? process.kill() : process.send(message)) }
        },
      },
      usualTextLimits,
    )
    const ports = { signal: new AbortController().signal, model: null, onShare: () => {} }
    const result = await engines.run('a', work, ports).catch((error: unknown) => error)
    engines.close()
    return { started, result }
  }

  test('is replaced once, and the work is done', async () => {
    expect(await draftWhile(1)).toMatchObject({ started: 2, result: { template: 'soap' } })
  })

  test('twice: the problem says so, and nothing of time or of the text', async () => {
    const detail = expect.stringContaining('was ended twice')
    expect(await draftWhile(2)).toMatchObject({ started: 2, result: { code: 'engine-failed', detail } })
  })
})
