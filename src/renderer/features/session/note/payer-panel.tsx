import { Check as CheckIcon, CircleAlert, Info } from 'lucide-react'
import { useState } from 'react'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { addOnCodes, type Coded, cptCodes, isReportable, modifiers, placesOfService, spanOf } from '#domain/billing-codes.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TimeField } from '#renderer/ui/date-field.tsx'
import { SelectField, type SelectOption } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { IconText, TitledSection } from '../parts.tsx'
import { useSession } from '../session-data.ts'
import { realTimes, typedTimes } from './real-times.ts'

const words = noteWords.payer
const none = 'none'

/** The therapist chooses the billing code. The panel must not suggest one. */
export function PayerPanel() {
  const { row } = useSession()
  const { session } = row
  const answer = useCall('notes.payerChecks', { session_id: session.id })
  const checks = answer.data?.checks ?? []
  const { error } = answer
  return (
    <TitledSection className="note-remarks" look="note-section" title={words.title}>
      <CodeFields row={row} />
      <p className="caption">{answer.data && words.lasted({ minutes: answer.data.minutes })}</p>
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

type CodeName = 'cpt_code' | keyof SessionRow['billing']

const optionOf = ({ code, name }: Coded) => ({ value: code, label: `${code} ${name}` })

function CodeFields({ row: { session, billing } }: { readonly row: SessionRow }) {
  const { error, mutate } = useAction('sessions.update')
  const { id, version, cpt_code, session_type } = session
  const offered: Readonly<Record<CodeName, readonly SelectOption[]>> = {
    cpt_code: cptCodes
      .filter((code) => isReportable(code, session_type))
      .map((code) => ({ ...optionOf(code), detail: spanOf(code) })),
    add_on_code: addOnCodes.filter((code) => code.with.includes(cpt_code ?? '')).map(optionOf),
    modifier: modifiers.map(optionOf),
    place_of_service: placesOfService.map(optionOf),
  }
  const choose = (name: CodeName, code: string | null): void =>
    mutate({
      id,
      version,
      ...(name === 'cpt_code' ? { patch: { cpt_code: code } } : { patch: {}, billing: { ...billing, [name]: code } }),
    })
  const fieldOf = (name: CodeName) => {
    const value = name === 'cpt_code' ? cpt_code : billing[name]
    if (offered[name].length === 0 && value === null) return null
    const isOffered = value === null || offered[name].some((option) => option.value === value)
    const options = [{ value: none, label: words[name].empty }, ...offered[name], ...(isOffered ? [] : [{ value, label: value }])]
    const onChange = (next: string): void => choose(name, next === none ? null : next)
    return <SelectField key={name} label={words[name].label} options={options} value={value ?? none} onChange={onChange} />
  }
  return (
    <div className="payer-codes">
      {(['cpt_code', 'add_on_code', 'modifier', 'place_of_service'] as const).map(fieldOf)}
      {error && <Problem code={error.code} />}
    </div>
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
