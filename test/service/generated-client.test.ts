import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generate } from 'openapi-typescript-codegen'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '#contract/rest/routes.ts'
import type { Route } from '#contract/rest/route.ts'
import { openApiDocument } from '#contract/rest/openapi.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import type { ScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { freshFolder, startAlone } from './alone-kit.ts'
import type { Alone } from './alone-kit.ts'
import { wavOf } from './sound.ts'

const run = promisify(execFile)
let speech: ScriptedSpeech
let service: Alone
const data = freshFolder()
const folder = mkdtempSync(join(tmpdir(), 'afterword-generated-'))

beforeAll(async () => {
  speech = await startScriptedSpeech([{ status: 200, body: JSON.stringify({ text: 'I slept badly.' }) }])
  const environment = { AFTERWORD_SPEECH_ADDRESS: speech.address, AFTERWORD_SPEECH_LANGUAGE: 'en' }
  const input = structuredClone(openApiDocument()) as Record<string, unknown>
  await generate({ input, output: join(folder, 'client'), httpClient: 'fetch', useOptions: true, useUnionTypes: true })
  service = await startAlone(data.data, environment, ['--plan', 'enterprise'])
})
afterAll(async () => {
  await service.stop('SIGKILL')
  await speech.close()
  data.remove()
  rmSync(folder, { recursive: true, force: true })
})

const published = (Object.entries(routes) as [string, Route][]).filter(([, route]) => route.published).map(([id]) => id)

test.each([
  ['/v1', '/v1'],
  ['/api/v1', '/api/v1'],
  ['/api/v1', '/api'],
])('a client that a public generator made of the document makes all ten calls, under %s and %s', async (base, apiBase) => {
  const root = service.address.replace(/\/v1$/, '')
  const child = join(import.meta.dirname, 'generated-client-child.ts')
  const args = [child, join(folder, 'client'), root + base, root + apiBase, service.ownerKey!, wavOf(1)]
  const { stdout } = await run(process.execPath, args)
  const said = JSON.parse(stdout) as Record<string, unknown>
  expect(Object.keys(said)).toEqual(expect.arrayContaining(published))
  const failed = Object.entries(said).filter(([, what]) => typeof what === 'string')
  expect(failed).toEqual([])
  expect(said).toMatchObject({
    createSession: expect.arrayContaining(['id', 'starts_at', 'version']),
    generateNote: expect.arrayContaining(['sections', 'status']),
    transcribe: expect.arrayContaining(['segments']),
    listClients: ['data', 'next_cursor'],
    verifyInsurance: expect.arrayContaining(['source', 'status']),
  })
})
