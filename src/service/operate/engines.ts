import { resolve } from 'node:path'
import type { LanguageSettings, SpeechSettings } from '#base/engine-settings.ts'
import type { PayerSettings } from '../payer/port.ts'
import type { Settings } from './settings.ts'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export function speechOf(settings: Settings): SpeechSettings | null {
  const { speech_address: address, speech_model, speech_key, speech_language } = settings
  if (address === undefined) return null
  return { address, model: speech_model ?? null, key: speech_key ?? null, language: speech_language ?? null }
}

export function languageOf(settings: Settings): LanguageSettings {
  const { language_address: address, language_model: model = null, language_key: key = null, language_file: file } = settings
  const context_tokens = settings.language_context ?? null
  if (address !== undefined) return { kind: 'server', address, model, key, context_tokens }
  return file === undefined ? { kind: 'rules' } : { kind: 'model', file: resolve(file), home: llamaHome(), context_tokens }
}

function llamaHome(): string {
  const up = import.meta.dirname.endsWith('operate') ? ['..', '..', '..'] : ['..', '..']
  return resolve(import.meta.dirname, ...up, 'tools', 'llama')
}

export function payerOf({
  payer_key: key,
  payer_address: address,
  payer_npi,
  payer_organization,
}: Settings): PayerSettings | null {
  if (key === undefined) return null
  const isWhole = payer_npi !== undefined && payer_organization !== undefined
  return { kind: 'stedi', address, key, provider: isWhole ? { npi: payer_npi, organization_name: payer_organization } : null }
}

/** Three folders up from source, two from the build. */
export function resources(): string {
  const here = fileURLToPath(new URL('../../resources', import.meta.url))
  return existsSync(here) ? here : fileURLToPath(new URL('../../../resources', import.meta.url))
}
