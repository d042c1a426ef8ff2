import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Makes the ten published calls with the client that was generated into a folder, under one notation of the addresses,
 * and prints what came of each. Run by generated-client.test.ts with nothing but Node's own type stripping.
 */
const [folder, base, apiBase, token, audio] = process.argv.slice(2) as [string, string, string, string, string]
/** What a key for sandboxes is asked of: no payer anywhere is told of anybody. */
const sandboxMember = { member_id: 'AWTEST-ACTIVE', given_name: 'Sam', family_name: 'Sandbox', date_of_birth: '1990-01-01' }

// What is generated names its files as bundlers do, without an ending.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.startsWith('.') && !specifier.endsWith('.ts') ? `${specifier}.ts` : specifier, context),
})

type Method = (options: Record<string, unknown>) => Promise<unknown>
interface Generated {
  OpenAPI: { BASE: string; TOKEN: string }
  ApiError: new () => Error & { status: number; body: { code?: string } }
}
const generated = (await import(pathToFileURL(join(folder, 'index.ts')).href)) as Generated & Record<string, unknown>
generated.OpenAPI.TOKEN = token

const said: Record<string, unknown> = {}
async function call(operation: string, options: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const service = Object.values(generated).find((found) => typeof (found as Record<string, unknown>)[operation] === 'function')
  const isAi = ['generateNote', 'transcribeWithSpeakers', 'analyze', 'schedule', 'verifyInsurance'].includes(operation)
  generated.OpenAPI.BASE = isAi ? apiBase : base
  try {
    const body = (await (service as Record<string, Method>)[operation]!(options)) as Record<string, unknown>
    said[operation] = Object.keys(body)
    return body
  } catch (error) {
    if (!(error instanceof generated.ApiError)) throw error
    said[operation] = `${error.status} ${error.body.code}`
    return {}
  }
}

const starts = new Date(Date.now() + Math.floor(Math.random() * 50_000) * 3_600_000)
starts.setUTCHours(starts.getUTCHours(), 0, 0, 0)
const client = await call('createClient', {
  requestBody: { display_name: 'Maren Voss' },
  idempotencyKey: `client-${base}-${apiBase}`,
})
const session = await call('createSession', {
  requestBody: { client_id: client['id'], session_type: 'individual', starts_at: starts.toISOString(), duration_minutes: 50 },
})
await call('listClients', { limit: 5, status: 'active' })
const words = 'Therapist: How did you sleep?\nMaren: I wake at four and I am anxious at work.'
await call('generateNote', {
  requestBody: { session_id: session['id'], client_id: client['id'], template: 'soap', transcript: words },
})
await call('generateNoteFromData', {
  requestBody: {
    session_type: 'individual',
    duration_minutes: 50,
    presenting_concerns: ['Work stress'],
    interventions: ['Sleep diary'],
    client_response: 'Found it helpful.',
  },
})
await call('transcribe', { requestBody: { audio: { content: audio, media_type: 'audio/wav' } } })
await call('transcribeWithSpeakers', { requestBody: { audio: { content: audio, media_type: 'audio/wav' } } })
await call('analyze', { requestBody: { transcript: words } })
await call('schedule', {
  requestBody: {
    mode: 'propose',
    request: { client_ids: [client['id']], type: 'individual', duration_minutes: 50, tzid: 'Europe/Berlin' },
    window: { from: '2031-11-24T08:00:00', to: '2031-11-28T18:00:00' },
  },
})
await call('readAnalytics', { from: '2026-01-01', to: '2026-02-01' })
const key = await call('createApiKey', { requestBody: { name: 'Sandbox', roles: ['owner'], mode: 'test' } })
generated.OpenAPI.TOKEN = String(key['secret'])
await call('verifyInsurance', { requestBody: { payer_id: 'AWSANDBOX', subscriber: sandboxMember } })
process.stdout.write(JSON.stringify(said))
