import type { Settings } from '#contract/bridge/settings.ts'
import type { ConsentPlaces } from '#renderer/strings/clients.ts'

const onThisLaptop = new Set(['localhost', '127.0.0.1', '[::1]'])

export function placesOf(settings: Settings | undefined): ConsentPlaces {
  const address = settings?.speech_engine === 'server' ? settings.speech_address : null
  const writer = settings?.language_engine === 'server' ? settings.language_address : null
  const hasPractice = (settings?.service_address ?? null) !== null
  return { speech_host: hostElsewhere(address), writer_host: hostElsewhere(writer), hasPractice }
}

function hostElsewhere(address: string | null): string | null {
  const host = address !== null && URL.canParse(address) ? new URL(address).hostname : null
  return host === null || onThisLaptop.has(host) ? null : host
}

export const isWebAddress = (value: string): boolean =>
  URL.canParse(value) && ['https:', 'http:'].includes(new URL(value).protocol)
