import { Check as CheckIcon, CircleAlert, Info } from 'lucide-react'
import { useState } from 'react'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import { cptCodes, spanOf } from '#domain/note-review.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import { SelectField, TimeField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { IconText, TitledSection } from '../parts.tsx'
import { useSession } from '../session-data.ts'
import { realTimes, typedTimes } from './real-times.ts'

const words = noteWords.payer
const none = 'none'

/** The therapist chooses the billing code. The panel must not suggest one. */
export function PayerPanel() {
  const { session } = useSession().row
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
  const error = update.error ?? answer.error
  return (
    <TitledSection className="note-remarks" look="note-section" title={words.title}>
      <div className="payer-code">
        <SelectField label={words.code} options={options} value={session.cpt_code ?? none} onChange={choose} />
        <p className="caption">{answer.data && words.lasted({ minutes: answer.data.minutes })}</p>
      </div>
      {/* The key resets the form when the stored times change. */}
      <RealTimesFields key={`${session.id} ${session.started_at} ${session.finished_at}`} session={session} />
      {error && <Problem code={error.code} />}
      <ul aria-live="polite">
        {checks.map((check) => (
          <Check key={check.code} {...check} />
        ))}
        {answer.data && checks.length === 0 && (
          <IconText as="li" className="note-check note-check-info" icon={CheckIcon} text={words.nothing} />
        )}
      </ul>
    </TitledSection>
  )
}

export function Check({ severity, message }: Pick<Note['checks'][number], 'severity' | 'message'>) {
  return (
    <li className={`note-check note-check-${severity}`}>
      {severity === 'needs_you' ? <CircleAlert aria-hidden /> : <Info aria-hidden />}
      {message}
    </li>
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
      {(['began', 'ended'] as const).map((which) => (
        <TimeField
          key={which}
          label={words[which]}
          value={typed[which]}
          onChange={(time) => setTyped({ ...typed, [which]: time })}
          onKeyDown={onKeyDown}
          error={isWrong && which === 'began' ? words.timesWrong : undefined}
        />
      ))}
      {isChanged && <Button variant="outlined" onPress={save} isDisabled={update.isPending} label={words.saveTimes} />}
      {update.error && <Problem code={update.error.code} />}
    </div>
  )
}
