/** The built text engine, started from where the built service looks for it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { ToEngine } from '#engines/texts/text-work.ts'
import { build } from '#test/support/built-app.ts'
import { heavyTexts } from '#test/support/heavy-texts.ts'
import { repository } from '#test/support/machine.ts'

beforeAll(build)

test('the built text engine drafts and ends with the process that started it', async () => {
  const file = join(repository, 'out', 'main', 'text-engine.js')
  const engine = fork(file, [], { serialization: 'advanced', execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const said = { kind: 'text', text: heavyTexts['questions']!(6000), client_names: [] } as const
  const work = { kind: 'draft', template: 'soap', own: null, session: null, client: null, said } as const
  engine.send({ kind: 'work', work, model: null } satisfies ToEngine)
  const [answer] = (await once(engine, 'message')) as [unknown]
  expect(answer).toMatchObject({ kind: 'done', result: { template: 'soap', engine: { name: 'rules' } } })
  engine.disconnect()
  await once(engine, 'exit')
})
