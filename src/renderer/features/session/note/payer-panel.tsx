import { Check, CircleAlert, Info } from 'lucide-react'
import { cptCodes, spanOf } from '#contract/model/cpt.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { SelectField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import type { SessionData } from '../session-data.ts'
import { RealTimesFields } from './real-times-fields.tsx'

const words = noteWords.payer
const none = 'none'

/** What a payer's reviewer would ask. The code is the therapist's to choose: its minutes stand beside it, nothing is chosen for them. */
export function PayerPanel({ data }: { readonly data: SessionData }) {
  const { session } = data.row
  const answer = useCall('notes.payerChecks', { session_id: session.id })
  const update = useAction('sessions.update')
  const fitting = cptCodes.filter(({ for_types }) => for_types === null || for_types.includes(session.session_type))
  const codes = fitting.map((code) => ({ value: code.code, label: `${code.code} ${code.name}`, detail: spanOf(code) }))
  const isKnown = session.cpt_code === null || codes.some(({ value }) => value === session.cpt_code)
  const options = [
    { value: none, label: words.noCode },
    ...codes,
    ...(isKnown ? [] : [{ value: session.cpt_code!, label: session.cpt_code! }]),
  ]
  const choose = (value: string): void =>
    update.mutate({ id: session.id, version: session.version, patch: { cpt_code: value === none ? null : value } })
  const checks = answer.data?.checks ?? []
  return (
    <section className="note-remarks" aria-labelledby="note-payer">
      <h2 id="note-payer" className="note-section-title">
        {words.title}
      </h2>
      <div className="payer-code">
        <SelectField label={words.code} options={options} value={session.cpt_code ?? none} onChange={choose} />
        <p className="caption">{answer.data && words.lasted(answer.data.minutes)}</p>
      </div>
      {/* Begun anew where the times change, by a recording or elsewhere. */}
      <RealTimesFields key={`${session.id} ${session.started_at} ${session.finished_at}`} session={session} />
      {(update.error ?? answer.error) && <Problem code={(update.error ?? answer.error)?.code ?? null} />}
      <ul aria-live="polite">
        {checks.map((check) => (
          <li key={check.code} className={`note-check note-check-${check.severity}`}>
            {check.severity === 'needs_you' ? <CircleAlert aria-hidden /> : <Info aria-hidden />}
            {check.message}
          </li>
        ))}
        {answer.data && checks.length === 0 && (
          <li className="note-check note-check-info">
            <Check aria-hidden />
            {words.nothing}
          </li>
        )}
      </ul>
    </section>
  )
}
