import type { Settings } from '#contract/bridge/settings.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { AppError } from '#contract/errors.ts'

export type StoredSettings = Omit<Settings, 'speech_has_key' | 'language_has_key' | 'service_has_key'>

const defaults: StoredSettings = {
  therapist_id: '',
  therapist_name: '',
  therapist_credential: null,
  therapist_license: null,
  therapist_license_state: null,
  therapist_npi: null,
  supervisor_name: null,
  supervisor_license: null,
  practice_name: null,
  practice_address: null,
  practice_phone: null,
  practice_npi: null,
  speech_engine: 'local',
  speech_address: null,
  speech_model: null,
  language: 'en',
  reduce_noise: false,
  model_mirror: null,
  language_engine: 'rules',
  language_address: null,
  language_model: null,
  language_file: null,
  language_context_tokens: null,
  service_address: null,
  upload_limit: null,
  upload_on_metered: false,
  network_metered: false,
  default_template: 'soap',
  transcribe_when_finished: true,
  idle_lock_minutes: 15,
  hide_names: false,
  hide_from_capture: false,
  notify_when_ready: true,
  locale: null,
  theme: 'system',
  single_key_shortcuts: true,
  microphone_id: null,
  updates_check: false,
  updates_mirror: null,
  snippets: [],
}

export type SettingsRepository = ReturnType<typeof createSettingsRepository>

export function createSettingsRepository(db: Sqlite) {
  const all = db.prepare('select name, value from settings')
  const put = db.prepare(
    'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  )
  /** Cached for speed. Values written in a transaction are cached only after the transaction ends. */
  let known: StoredSettings | null = null
  let isUnsure = false
  const repository = {
    /** True with a practice's service, false with the embedded one. */
    isRemote: (): boolean => repository.get().service_address !== null,
    get(): StoredSettings {
      if (!db.inTransaction) isUnsure = false
      if (known !== null) return known
      const rows = all.all() as { name: string; value: string }[]
      const stored = Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)])) as Partial<StoredSettings>
      const speech_engine = stored.speech_engine ?? (stored.speech_address ? 'server' : defaults.speech_engine)
      const settings = { ...defaults, ...stored, speech_engine }
      if (!isUnsure) known = settings
      return settings
    },
    put(settings: Partial<StoredSettings>): void {
      known = null
      isUnsure = db.inTransaction
      for (const [name, value] of Object.entries(settings)) put.run(name, JSON.stringify(value))
    },
  }
  return repository
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Requires https except on loopback, and refuses credentials, a query, and a fragment. Removes trailing slashes, and adds
 * `ownPath` if there is no path.
 */
export function checkAddress(address: string, pointer: string, ownPath = '/v1'): string {
  const url = new URL(address)
  const refuse = (code: string, message: string) => new AppError('validation-failed', message, [{ pointer, code, message }])
  if (url.username !== '' || url.password !== '')
    throw refuse('credentials', 'Remove the name, password, or key from the address.')
  if (url.protocol !== 'https:' && !loopback.test(url.hostname))
    throw refuse('not-encrypted', 'Use an https address, unless the server is on this computer.')
  if (url.search !== '' || url.hash !== '')
    throw refuse('not-a-base', 'Remove the ? or # and everything after it from the address.')
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path === '' ? ownPath : path}`
}
