import { Check, CircleSlash, X } from 'lucide-react'
import { useState } from 'react'
import type { Client } from '#contract/model/client.ts'
import type { Consent, ConsentScope } from '#contract/model/consent.ts'
import { useName } from '#renderer/lib/names.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useCall, useAction } from '#renderer/bridge/use-bridge.ts'
import { clientsStrings, consentMethodWords, roleWords, scopeList, scopeWords } from '#renderer/strings/clients.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Loading, Problem } from '#renderer/ui/page.tsx'
import { formatDate } from '#renderer/strings/time.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { GiveConsentDialog } from './give-consent-dialog.tsx'

const words = clientsStrings.consent
const scopes: readonly ConsentScope[] = ['record', 'transcribe', 'draft', 'analyze', 'retain']

export function ClientConsent({ client }: { readonly client: Client }) {
  const list = useCall('consents.list', { client_id: client.id })
  const [isAsking, setAsking] = useState(false)
  const [withdrawing, setWithdrawing] = useState<Consent | null>(null)
  const consents = list.data?.toSorted((one, other) => other.given_at.localeCompare(one.given_at)) ?? []
  return (
    <div className="client-panel">
      <div className="client-consent-head">
        <p className="muted">{words.lead}</p>
        <Button onPress={() => setAsking(true)}>{words.ask}</Button>
      </div>
      {list.isPending && <Loading />}
      {list.error && <Problem code={list.error.code} onRetry={() => void list.refetch()} />}
      {list.data && (
        <>
          <section className="client-consent-now">
            <h2 className="ui-section-head">{words.now}</h2>
            <ScopeList consents={consents} />
          </section>
          <section>
            <h2 className="ui-section-head">{words.history}</h2>
            {consents.length === 0 && <p className="muted">{words.noHistory}</p>}
            <ul className="ui-rows">
              {consents.map((consent) => (
                <ConsentLine key={consent.id} consent={consent} onWithdraw={() => setWithdrawing(consent)} />
              ))}
            </ul>
          </section>
        </>
      )}
      {isAsking && <GiveConsentDialog client={client} onClose={() => setAsking(false)} />}
      {withdrawing && <WithdrawDialog consent={withdrawing} onClose={() => setWithdrawing(null)} />}
    </div>
  )
}

function ScopeList({ consents }: { readonly consents: readonly Consent[] }) {
  const now = useNow(60_000)
  const ofClient = consents.filter(({ participant }) => participant.role === 'client')
  return (
    <ul className="client-scope-rows">
      {scopes.map((scope) => {
        const named = ofClient.filter((consent) => consent.scopes.includes(scope))
        // A withdrawal also ends older consents for the same scope.
        const lastNo =
          named
            .map(({ revoked_at }) => revoked_at ?? '')
            .toSorted()
            .at(-1) ?? ''
        const given = named.find(({ revoked_at, given_at }) => revoked_at === null && given_at > lastNo)
        const revoked = named.find(({ revoked_at }) => revoked_at !== null)
        const revokedAt = given === undefined ? (revoked?.revoked_at ?? null) : null
        return (
          <li key={scope} data-state={given ? 'given' : revokedAt === null ? 'none' : 'withdrawn'}>
            {given ? <Check aria-hidden /> : revokedAt === null ? <X aria-hidden /> : <CircleSlash aria-hidden />}
            <span>
              {scopeWords[scope]}
              {given === undefined && revokedAt === null && `: ${words.notAgreed}`}
            </span>
            <span className="caption">
              {given
                ? formatDate(given.given_at, now)
                : revokedAt === null
                  ? ''
                  : words.withdrawn({ date: formatDate(revokedAt, now) })}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function ConsentLine({ consent, onWithdraw }: { readonly consent: Consent; readonly onWithdraw: () => void }) {
  const nameOf = useName()
  const now = useNow(60_000)
  const role = consent.participant.role === 'client' ? '' : roleWords[consent.participant.role]
  return (
    <li className="consent-line">
      <div className="consent-line-words">
        <p className="consent-line-who">{words.by({ name: nameOf(consent.participant.name), role })}</p>
        <p className="consent-line-what">{scopeList(consent.scopes)}</p>
        <p className="caption">
          {words.given({ method: consentMethodWords[consent.method], date: formatDate(consent.given_at, now) })}
          {consent.revoked_at !== null && `, ${words.withdrawn({ date: formatDate(consent.revoked_at, now) })}`}
        </p>
      </div>
      {consent.revoked_at === null && (
        <Button variant="erasing" size="row" onPress={onWithdraw}>
          {words.withdraw}
        </Button>
      )}
    </li>
  )
}

const withdrawWords = clientsStrings.consent.withdrawDialog

function WithdrawDialog({ consent, onClose }: { readonly consent: Consent; readonly onClose: () => void }) {
  const nameOf = useName()
  const toast = useToast()
  const revoke = useAction('consents.revoke')
  const withdraw = async (): Promise<void> => {
    const revoked = await revoke.mutateAsync({ id: consent.id }).catch(() => null)
    if (revoked === null) return
    toast({ text: withdrawWords.done })
    onClose()
  }
  return (
    <Dialog
      title={withdrawWords.title({ name: nameOf(consent.participant.name) })}
      lead={withdrawWords.lead}
      isOpen
      isDismissable={false}
      onClose={onClose}
      role="alertdialog"
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {withdrawWords.keep}
          </Button>
          <Button
            variant="erasing"
            busy={revoke.isPending ? withdrawWords.withdrawing : undefined}
            onPress={() => void withdraw()}
          >
            {withdrawWords.withdraw}
          </Button>
        </>
      }
    >
      {revoke.error && <Problem code={revoke.error.code} />}
    </Dialog>
  )
}
