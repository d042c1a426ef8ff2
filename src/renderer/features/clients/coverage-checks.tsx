import { CircleAlert, CircleCheck, CircleDashed, Copy, type LucideIcon } from 'lucide-react'
import type { StoredCoverage } from '#contract/model/coverage.ts'
import { copyText, useAction } from '#renderer/bridge/use-bridge.ts'
import { capitalized } from '#renderer/lib/text.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { coverageStrings } from '#renderer/strings/coverage.ts'
import { Button } from '#renderer/ui/button.tsx'
import { type ClientLanguage, OtherLanguage, useClientLanguage } from '#renderer/sessions/client-language.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { formatDayTime } from '#renderer/strings/time.ts'
import { outcomeOf, sentenceOf } from './coverage-lines.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ClientCoverage } from '#contract/bridge/clients.ts'
import type { MethodInput } from '#contract/bridge/methods.ts'
import type { Client } from '#contract/model/client.ts'
import { queryClient } from '#renderer/bridge/query-client.ts'

const words = coverageStrings.checks

const icons: Partial<Record<StoredCoverage['status'], LucideIcon>> = { active: CircleCheck, payer_unavailable: CircleDashed }

type CoverageChecksProps = Readonly<{
  client_id: string
  checks: readonly StoredCoverage[]
  shown: StoredCoverage | null
  name: string
}>

export function CoverageChecks({ client_id, checks, shown, name }: CoverageChecksProps) {
  const reading = useClientLanguage(client_id)
  const sentence = shown === null ? null : sentenceOf(shown, reading.texts)
  return (
    <aside className="coverage-aside" aria-label={words.title}>
      <section>
        <h2 className="coverage-aside-title">{words.title}</h2>
        {checks.length === 0 && <p className="muted">{words.none}</p>}
        <ol className="coverage-checks">
          {checks.map((check) => (
            <Check key={check.id} check={check} isShown={check.id === shown?.id} hasShown={shown !== null} />
          ))}
        </ol>
      </section>
      {sentence !== null && <Sentence name={name} text={sentence} reading={reading} />}
    </aside>
  )
}

function Check({ check, isShown, hasShown }: Readonly<{ check: StoredCoverage; isShown: boolean; hasShown: boolean }>) {
  const now = useNow(60_000)
  const Icon = icons[check.status] ?? CircleAlert
  const after = isShown ? words.shown : hasShown && check.status === 'payer_unavailable' ? words.stands : ''
  return (
    <li data-status={check.status}>
      <Icon aria-hidden />
      <div>
        <p className="coverage-check-when">
          {capitalized(formatDayTime(check.checked_at, now))}
          {check.source === 'sandbox' && ` · ${coverageStrings.sample.chip}`}
        </p>
        <p>
          {outcomeOf(check)} {after}
        </p>
        {check.status === 'not_found' && !isShown && <p>{check.errors.map(({ hint }) => hint).join(' ')}</p>}
      </div>
    </li>
  )
}

function Sentence({ name, text, reading }: Readonly<{ name: string; text: string; reading: ClientLanguage }>) {
  const toast = useToast()
  const copy = async (): Promise<void> => {
    try {
      await copyText(text)
      toast({ text: coverageStrings.sentence.copied })
    } catch {
      toast({ text: coverageStrings.sentence.copyFailed, kind: 'told' })
    }
  }
  return (
    <section className="ui-card coverage-sentence">
      <h2 className="coverage-aside-title">{coverageStrings.sentence.title({ name })}</h2>
      <p lang={reading.language}>“{text}”</p>
      <Button size="row" icon={Copy} onPress={() => void copy()} label={coverageStrings.sentence.copy} />{' '}
      <OtherLanguage of={reading} />
    </section>
  )
}

type Subscriber = NonNullable<MethodInput<'coverage.check'>['subscriber']>
export type Checking = ReturnType<typeof useCoverageCheck>

const LOOK_EVERY_MS = 15_000

export function useCoverageCheck(client: Client, coverage: ClientCoverage) {
  const check = useAction('coverage.check')
  const [isAskingHolder, setAskingHolder] = useState(false)
  /**
   * False, unless the last request ended before the payer answered. Then the id of the newest check at that time, or null if
   * there was none; a newer check counts as the payer's answer.
   */
  const [asking, setAsking] = useState<string | null | false>(false)
  const newest = coverage.checks[0]?.id ?? null
  const isStillAsking = asking !== false && asking === newest
  const key = ['coverage.get', { client_id: client.id }]
  const look = (): void => void queryClient.invalidateQueries({ queryKey: key })
  const lookAgain = useEffectEvent(look)
  useEffect(() => {
    if (!isStillAsking) return
    const timer = setInterval(lookAgain, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [isStillAsking])
  const ask = (subscriber?: Subscriber): void => {
    if (check.isPending) return
    setAskingHolder(false)
    setAsking(false)
    check.mutate(
      { client_id: client.id, ...(subscriber === undefined ? {} : { subscriber }) },
      {
        onSuccess: ({ coverage: told, is_still_asking }) => {
          queryClient.setQueryData(key, told)
          if (is_still_asking) setAsking(told.checks[0]?.id ?? null)
        },
        // Even a failed check may have been stored.
        onError: look,
      },
    )
  }
  return {
    isPending: check.isPending,
    isStillAsking,
    isAskingHolder,
    error: check.error,
    start: () => (client.insurance?.relationship === 'self' ? ask() : setAskingHolder(true)),
    ask,
    cancel: () => setAskingHolder(false),
    look,
  }
}
