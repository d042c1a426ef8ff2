import { CircleAlert, Info, CircleCheck, CloudOff, KeyRound, Hourglass } from 'lucide-react'
import { useState, type FormEvent, useId, type ReactNode } from 'react'
import { useCall, useAction } from '#renderer/bridge/use-bridge.ts'
import {
  movingStrings as words,
  undoneText,
  movingCounts,
  movingHeading,
  movingPerson,
  movingProblem,
  differenceText,
  differenceTitle,
  movingResult,
  movingWaiting,
  movingProgress,
} from '#renderer/strings/moving.ts'
import type { MovingState, MovingLook as Look } from '#contract/bridge/moving.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Problem, Notice } from '#renderer/ui/page.tsx'
import { useName } from '#renderer/lib/names.ts'
import { TextField } from '#renderer/ui/field.tsx'
import { Row, useKnownSettings } from '../setting.tsx'
import { MovingForm } from './moving-form.tsx'
import './moving.css'

type StateProps = Readonly<{ state: MovingState }>

export function MovingSetting() {
  const settings = useKnownSettings()
  const { data: state } = useCall('moving.state', {})
  if (state === undefined) return null
  const { phase, look, address } = state
  if (phase === 'sending') return <MovingOnItsWay state={state} />
  if (phase === 'checked') return <MovingCheck state={state} />
  // The addresses are equal if the user checked a service and then switched to it without moving the records.
  if (phase === 'looked' && look !== null && address !== settings.service_address) return <MovingLook state={state} look={look} />
  if (settings.service_address === null)
    return <MovingForm note={phase === 'undone' ? undoneText(state) : null} address={address ?? ''} />
  return (
    <>
      <OldStore state={state} />
      <MoveBack />
    </>
  )
}

function OldStore({ state: { old_store } }: StateProps) {
  const erase = useAction('moving.eraseOldStore')
  if (old_store !== 'kept' && old_store !== 'erasing') return null
  const eraseButton = <Button variant="erasing" onPress={() => erase.mutate({})} label={words.oldStore.erase} />
  return (
    <Row
      label={words.oldStore.title}
      text={old_store === 'kept' ? words.oldStore.kept : words.oldStore.erasing}
      isStatus
      action={old_store === 'kept' && eraseButton}
    >
      {erase.error && <Problem code={erase.error.code} />}
    </Row>
  )
}

function MoveBack() {
  const look = useAction('moving.look')
  const lookHere = (): void => look.mutate({ address: null, key: null })
  const button = <Button busy={look.isPending && words.looking} onPress={lookHere} label={words.back.look} />
  return (
    <Row label={words.back.title} text={words.back.text} action={button}>
      {look.error && <Problem code={look.error.code} />}
    </Row>
  )
}

const offersLess: ReadonlySet<string> = new Set(['published-only', 'offers-too-little', 'person-unknown'])

function MovingLook({ state, look }: StateProps & { readonly look: Look }) {
  const send = useAction('moving.send')
  const undo = useAction('moving.undo')
  const use = useAction('settings.update')
  const blocking = look.problems.filter((problem) => problem.blocking)
  const useIt = (): void => use.mutate({ service_address: state.address })
  const isUsable = blocking.length > 0 && blocking.every(({ code }) => offersLess.has(code))
  const person = movingPerson(look, state.address)
  const error = send.error ?? undo.error ?? use.error
  return (
    <MovingPanel heading={movingHeading(state)}>
      {person !== null && <p className="moving-text">{person}</p>}
      {blocking.length === 0 && <p className="moving-text">{movingCounts(look)}</p>}
      {look.problems.length > 0 && (
        <ul className="moving-list">
          {look.problems.map(({ code, blocking: isBlocking }) => (
            <li key={code} className={isBlocking ? 'moving-point moving-point-needs' : 'moving-point'}>
              {isBlocking ? <CircleAlert aria-hidden /> : <Info aria-hidden />}
              <span>{movingProblem(code, look)}</span>
            </li>
          ))}
        </ul>
      )}
      {isUsable && <p className="moving-text">{words.useAnywayText}</p>}
      {error && <Problem code={error.code} />}
      <div className="moving-actions">
        {blocking.length === 0 && (
          <Button variant="filled" busy={send.isPending && words.sending} onPress={() => send.mutate({})} label={words.send} />
        )}
        {isUsable && <Button onPress={useIt} busy={use.isPending && words.looking} label={words.useAnyway} />}
        <Button onPress={() => undo.mutate({})} label={words.notNow} />
      </div>
    </MovingPanel>
  )
}

function MovingCheck({ state }: StateProps) {
  const confirm = useAction('moving.confirm')
  const { differing, waiting } = state
  const isSame = differing === 0
  return (
    <MovingPanel heading={movingHeading(state)}>
      <p className={isSame ? 'moving-point moving-point-kept' : 'moving-point moving-point-needs'} role="status">
        {isSame ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />}
        <span>{movingResult(state)}</span>
      </p>
      {waiting !== null && <Notice text={movingWaiting(waiting)} />}
      {!isSame && <Differences state={state} />}
      <p className="moving-text">{words.confirmText(state)}</p>
      {!isSame && <p className="moving-text">{words.leaveText}</p>}
      {confirm.error && <Problem code={confirm.error.code} />}
      <div className="moving-actions">
        <Button
          variant={isSame ? 'filled' : 'outlined'}
          busy={confirm.isPending && words.confirming}
          onPress={() => confirm.mutate({ leaving: !isSame })}
          label={isSame ? words.confirm(state) : words.leaveAndMove}
        />
      </div>
      <GiveUp state={state} />
    </MovingPanel>
  )
}

function Differences({ state: { differences, differing } }: StateProps) {
  const send = useAction('moving.send')
  const nameOf = useName()
  const hasRefused = differences.some(({ code }) => code !== 'differs')
  const hasOthers = differences.some(({ code }) => code === 'differs')
  return (
    <div className="moving-differences">
      <p className="setting-label">{words.differences}</p>
      <ul className="moving-list">
        {differences.map((difference) => (
          <li key={`${difference.kind} ${difference.id}`} className="moving-difference">
            <span className="moving-difference-title">{differenceTitle(difference, nameOf)}</span>
            <span className="moving-difference-text">{differenceText(difference)}</span>
          </li>
        ))}
      </ul>
      {differing > differences.length && <p className="caption">{words.more({ count: differing - differences.length })}</p>}
      {send.error && <Problem code={send.error.code} />}
      <div className="moving-actions">
        {hasRefused && <Button onPress={() => send.mutate({})} label={words.again} />}
        {hasOthers && <Button onPress={() => send.mutate({ over: true })} label={words.over} />}
      </div>
    </div>
  )
}

const icons = { quota: Hourglass, network: CloudOff, key: KeyRound }

function MovingOnItsWay({ state }: StateProps) {
  const { total, sent, checked, waiting } = state
  const done = total === 0 ? 0 : (sent + checked) / (2 * total)
  const quarter = Math.floor(done * 4) * 25
  return (
    <MovingPanel heading={movingHeading(state)}>
      <p className="moving-text moving-figures">{movingProgress(state)}</p>
      <progress className="ui-progress" value={done} max={1} aria-label={movingHeading(state)} />
      <span className="visually-hidden" role="status">
        {quarter > 0 ? `${quarter}%` : ''}
      </span>
      {waiting !== null && (
        <div role="status">
          <Notice icon={icons[waiting.reason]} text={movingWaiting(waiting)} />
        </div>
      )}
      {waiting?.reason === 'key' && <NewKey />}
      <p className="moving-text">{words.work}</p>
      <GiveUp state={state} />
    </MovingPanel>
  )
}

function NewKey() {
  const setKey = useAction('moving.setKey')
  const [typed, setTyped] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (typed.trim() !== '') setKey.mutate({ key: typed.trim() })
  }
  return (
    <form className="moving-fields" onSubmit={submit}>
      <TextField label={words.newKey} help={words.keyHelp} type="password" value={typed} maxLength={2000} onChange={setTyped} />
      <Button type="submit" variant="filled" busy={setKey.isPending && words.looking} label={words.useKey} />
      {setKey.error && <Problem code={setKey.error.code} />}
    </form>
  )
}

function GiveUp({ state }: StateProps) {
  const undo = useAction('moving.undo')
  return (
    <>
      {state.address !== null && <p className="caption">{words.giveUpText({ host: new URL(state.address).host })}</p>}
      {undo.error && <Problem code={undo.error.code} />}
      <div className="moving-actions">
        <Button busy={undo.isPending && words.givingUp} onPress={() => undo.mutate({})} label={words.giveUp} />
      </div>
    </>
  )
}

function MovingPanel({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section className="moving-panel" aria-labelledby={id}>
      <h3 id={id} className="moving-heading" tabIndex={-1}>
        {heading}
      </h3>
      {children}
    </section>
  )
}
