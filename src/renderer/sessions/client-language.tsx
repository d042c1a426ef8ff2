import { useEffect, useState } from 'react'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { useSettings } from '#renderer/lib/app-state.ts'
import { language, type Language, languageOf, languages } from '#renderer/strings/locale.ts'
import { messages, messagesIn } from '#renderer/strings/messages.ts'
import { LinkButton } from '#renderer/ui/button.tsx'

export interface ClientLanguage {
  readonly language: Language
  /** In this language, for what a client hears or reads. */
  readonly texts: typeof messages
  readonly choose: (next: Language) => void
}

/** The language of the client's last consent, or else the one spoken in sessions, until another is chosen. */
export function useClientLanguage(client_id: string): ClientLanguage {
  const spoken = useSettings()?.language ?? ''
  const consents = useCall('consents.list', { client_id }).data ?? []
  const last = consents.toSorted((one, other) => other.given_at.localeCompare(one.given_at))[0]
  const [chosen, choose] = useState<Language>()
  const wanted = chosen ?? languageOf(last?.language ?? spoken) ?? 'en'
  const [shown, show] = useState({ language, texts: messages })
  useEffect(() => {
    let isWanted = true
    void messagesIn(wanted).then((texts) => isWanted && show({ language: wanted, texts }))
    return () => void (isWanted = false)
  }, [wanted])
  return { ...shown, choose }
}

export function OtherLanguage({ of }: { readonly of: ClientLanguage }) {
  const others = languages.filter((other) => other !== of.language)
  return others.map((other) => <LinkButton key={other} onPress={() => of.choose(other)} label={messages.consent.readIn[other]} />)
}
