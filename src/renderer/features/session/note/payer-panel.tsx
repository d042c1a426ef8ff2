import { Check, CircleAlert, Info } from 'lucide-react'
import { useState } from 'react'
import { cptCodes, spanOf } from '#domain/note-review.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import type { Session } from '#contract/model/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import type { SessionData } from '../session-data.ts'
import { realTimes, typedTimes } from './real-times.ts'

const words = noteWords.payer
const none = 'none'

/** The therapist chooses the billing code. The panel never suggests one; it only shows each code's minutes. */
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
        <p className="caption">{answer.data && words.lasted({ minutes: answer.data.minutes })}</p>
      </div>
      {/* The key resets the form when the stored times change. */}
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

function RealTimesFields({ session }: { readonly session: Session }) {
  const known = typedTimes(session)
  const [typed, setTyped] = useState(known)
  const [isWrong, setWrong] = useState(false)
  const update = useAction('sessions.update')
  const isChanged = typed.began !== known.began || typed.ended !== known.ended
  const save = (): void => {
    const patch = realTimes(session, typed)
    setWrong(patch === null)
    if (patch !== null) update.mutate({ id: session.id, version: session.version, patch })
  }
  const onKeyDown = ({ key }: { readonly key: string }): void => {
    if (key === 'Enter' && isChanged) save()
  }
  return (
    <div className="payer-times">
      <TextField
        label={words.began}
        value={typed.began}
        onChange={(began) => setTyped({ ...typed, began })}
        onKeyDown={onKeyDown}
        placeholder={words.timeExample}
        error={isWrong ? words.timesWrong : undefined}
      />
      <TextField
        label={words.ended}
        value={typed.ended}
        onChange={(ended) => setTyped({ ...typed, ended })}
        onKeyDown={onKeyDown}
        placeholder={words.timeExample}
      />
      {isChanged && (
        <Button variant="outlined" onPress={save} isDisabled={update.isPending}>
          {words.saveTimes}
        </Button>
      )}
      {update.error && <Problem code={update.error.code} />}
    </div>
  )
}
