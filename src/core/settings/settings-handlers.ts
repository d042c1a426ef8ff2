import type { Handlers, MethodOutput } from '#contract/bridge/methods.ts'
import type { Settings, settingsMethods, SettingsPatch } from '#contract/bridge/settings.ts'
import type { Network } from '#base/metered-network.ts'
import { changedFields } from '#core/records/change.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import { AppError } from '#contract/errors.ts'
import type { SignInDesk } from '#core/sign-in/sign-in-desk.ts'
import { textOf } from '#core/sign-in/session.ts'
import type { UpdateState } from '#contract/bridge/updates.ts'
import { checkAddress, type SettingsRepository, type StoredSettings } from './settings-repository.ts'
import type { DraftModels } from './draft-models.ts'
import type { KeyName, ServiceKeys } from './service-keys.ts'
import { z } from 'zod'

interface Parts extends Pick<RecordParts, 'change' | 'emit'> {
  readonly settingsRepository: SettingsRepository
  readonly serviceKeys: ServiceKeys
  readonly draftModels: DraftModels
  readonly fetch: typeof fetch
  readonly network: Network
  readonly signIns: SignInDesk
  readonly onOtherService: () => void
  readonly isMigrating: () => boolean
  readonly onConnectionChanged: () => void
}

type Names = keyof typeof settingsMethods | keyof typeof updateHandlers

const isOfConnection = (field: string): boolean => /^(?:speech|language|service|upload|network)/.test(field)

export const readSettings = (repository: SettingsRepository, keys: ServiceKeys): Settings => ({
  ...repository.get(),
  speech_has_key: keys.get('speech') !== null,
  language_has_key: keys.get('language') !== null,
  service_has_key: keys.get('service') !== null,
})

export function settingsHandlers(parts: Parts): Handlers<Names> {
  const { settingsRepository: repository, serviceKeys: keys, change, emit, fetch, onConnectionChanged } = parts
  const told = (): Settings => {
    const settings = readSettings(repository, keys)
    emit('settings.changed', settings)
    return settings
  }
  const setKey = async (which: KeyName, key: string | null): Promise<Settings> => {
    await keys.set(which, key)
    change([], ({ audit }) =>
      audit({ action: `settings.${which}-key-${key === null ? 'removed' : 'set'}`, subject_id: repository.get().therapist_id }),
    )
    const settings = told()
    onConnectionChanged()
    return settings
  }
  return {
    ...updateHandlers,
    'settings.get': () => readSettings(repository, keys),
    async 'settings.update'(patch) {
      const before = repository.get()
      const changed: Partial<StoredSettings> = changedFields(before, withAddresses(patch))
      if (Object.keys(changed).length === 0) return readSettings(repository, keys)
      if ('service_address' in changed && parts.isMigrating())
        throw new AppError('conflict', 'A move is under way. Confirm it or give it up first.')
      change([], ({ audit }) => {
        repository.put(changed)
        if (isOther(before, changed)) parts.onOtherService()
        audit({ action: 'settings.changed', subject_id: before.therapist_id })
      })
      if ('service_address' in changed) parts.signIns.close()
      await keys.bindNew()
      const settings = told()
      if (Object.keys(changed).some(isOfConnection)) onConnectionChanged()
      return settings
    },
    'settings.setKey': ({ which, key }) => setKey(which, key),
    async 'settings.signIn'() {
      const { service_address: address } = repository.get()
      if (address === null) throw new AppError('sign-in-not-offered')
      return { address: await parts.signIns.begin(address) }
    },
    async 'settings.finishSignIn'() {
      const signedIn = await parts.signIns.finish()
      if (signedIn.provider.resource.replace(/\/+$/, '') !== repository.get().service_address)
        throw new AppError('cancelled', 'The sign-in was for another service.')
      return setKey('service', textOf(signedIn))
    },
    'settings.testSpeech': () =>
      askServer(fetch, { address: repository.get().speech_address, key: keys.get('speech') }, hintsOf('a speech server')),
    'settings.draftModels': () => parts.draftModels.list(),
    'settings.network': async () => ({ metered: await parts.network.isMetered() }),
    'settings.testLanguage'() {
      const { language_address: address, language_model: model } = repository.get()
      return testLanguage(fetch, { address, model, key: keys.get('language') })
    },
  }
}

/** A changed address may be of the same service. Adding or removing the address changes the service. */
function isOther(before: StoredSettings, changed: Partial<StoredSettings>): boolean {
  if (changed.service_address === undefined) return false
  return (before.service_address === null) !== (changed.service_address === null)
}

const addressFields = {
  speech_address: '/v1',
  language_address: '/v1',
  model_mirror: '',
  updates_mirror: '',
  service_address: '/v1',
} as const

function withAddresses(patch: SettingsPatch): SettingsPatch {
  const checked: SettingsPatch = { ...patch }
  for (const name of Object.keys(addressFields) as (keyof typeof addressFields)[]) {
    const address = patch[name]
    if (address) checked[name] = checkAddress(address, `/${name}`, addressFields[name])
  }
  return checked
}

const hintsOf = (server: 'a speech server' | 'a model server') => ({
  noAddress: `Enter the address of ${server} first.`,
  keyRefused: 'The server doesn’t accept this key.',
  serverError: 'The server reported an error. Check its log.',
  otherServer: `This isn’t the address of ${server}. Check that the address ends in /v1.`,
  notReached: 'The server didn’t answer. Check the address and that the server is running.',
})

async function testLanguage(fetch: typeof globalThis.fetch, server: Server & { model: string | null }): Promise<ServerTest> {
  const test = await askServer(fetch, server, hintsOf('a model server'))
  const { models } = test
  if (!test.ready || models.length === 0) return test
  if (server.model === null && models.length > 1) return { ...notReady('Choose a model.'), models }
  if (server.model !== null && !models.includes(server.model))
    return { ...notReady('The server doesn’t offer the chosen model. Choose another model.'), models }
  return test
}

const state: UpdateState = {
  delivery: 'preview',
  phase: 'idle',
  offered: null,
  progress: null,
  failure: null,
  obstacle: null,
  checked_at: null,
}

const refuse = (): never => {
  throw new AppError('not-offered')
}

const updateHandlers: Handlers<'updates.state' | 'updates.check' | 'updates.download' | 'updates.install'> = {
  'updates.state': () => state,
  'updates.check': refuse,
  'updates.download': refuse,
  'updates.install': refuse,
}

type Server = Readonly<Record<'address' | 'key', string | null>>

type ServerTest = MethodOutput<'settings.testSpeech'>

const PATIENCE_MS = 5000
const modelsSchema = z.object({ data: z.array(z.object({ id: z.string().max(200) })).max(1000) })

/** Asks for the model list (OpenAI API), which sends no client data. A server without the list counts as ready. */
async function askServer(fetch: typeof globalThis.fetch, server: Server, hints: ReturnType<typeof hintsOf>): Promise<ServerTest> {
  if (server.address === null) return notReady(hints.noAddress)
  try {
    const headers = server.key === null ? {} : { authorization: `Bearer ${server.key}` }
    const options = { headers, redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) } as const
    const response = await fetch(`${server.address}/models`, options)
    if (response.status === 401 || response.status === 403) return notReady(hints.keyRefused)
    if (response.status === 404 || response.status === 405) return { ready: true, hint: null, models: [] }
    if (!response.ok) return notReady(hints.serverError)
    const models = modelsSchema.safeParse(await response.json())
    if (!models.success) return notReady(hints.otherServer)
    return { ready: true, hint: null, models: models.data.data.map((model) => model.id) }
  } catch (error) {
    return notReady(error instanceof SyntaxError ? hints.otherServer : hints.notReached)
  }
}

const notReady = (hint: string): ServerTest => ({ ready: false, hint, models: [] })
