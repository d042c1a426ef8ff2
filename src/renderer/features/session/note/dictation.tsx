import { CircleAlert, Mic, Square } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react'
import type { Dictation } from '#contract/bridge/dictations.ts'
import { isErrorCode } from '#contract/errors.ts'
import type { NoteSection } from '#contract/model/note.ts'
import { bridge } from '#renderer/bridge/bridge.ts'
import { beforeLocking } from '#renderer/bridge/closing.ts'
import { useRecorder } from '#renderer/bridge/recorder-context.tsx'
import { call, useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { keysFor } from '#renderer/lib/app-state.ts'
import { placesOf } from '#renderer/lib/places.ts'
import { SpeechSetup } from '#renderer/lib/speech-setup.tsx'
import { DictationRecorder } from '#renderer/recorder/dictation-recorder.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { formatLength, formatMoment } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Loading, Notice } from '#renderer/ui/page.tsx'
import { Level } from '../record/before-recording.tsx'
import { useSession } from '../session-data.ts'
import { useEditing } from './use-note-editing.ts'

const words = noteWords.dictation
const recorder = new DictationRecorder(bridge)
// Sound that is still on its way can be saved until the records lock.
beforeLocking(() => recorder.stop())

/** A dictation whose window is gone is known by its silence. */
const EVERY_MS = 5000
export const useDictations = () => useCall('dictations.list', { session_id: useSession().id }, { everyMs: EVERY_MS }).data

type Dictating = ReturnType<typeof useDictating>

/** Dictation into the text field of a section. */
export function useDictating(section: NoteSection, area: RefObject<HTMLTextAreaElement | null>, change: (text: string) => void) {
  const { id: session_id } = useSession()
  const { save, sections } = useEditing()
  const isRecordingSession = useRecorder().state.phase !== 'idle'
  const state = useSyncExternalStore(recorder.subscribe, recorder.getState)
  const { ready = false, waiting = [] } = useDictations() ?? {}
  const [heard, setHeard] = useState<Dictation['id'] | null>(null)
  const [said, setSaid] = useState('')
  const isOwn = state.section_key === section.key
  const isFirst = sections[0]?.section.key === section.key
  const isHere = ({ section_key }: Dictation): boolean =>
    section_key === section.key || (isFirst && !sections.some((page) => page.section.key === section_key))
  useEffect(() => () => void recorder.stop(), [])

  const transcribe = async (id: string): Promise<void> => {
    setHeard(id)
    setSaid('')
    const { text } = await call('dictations.transcribe', { id }).catch(() => ({ text: null }))
    setHeard(null)
    const field = area.current
    if (field === null) return // It waits at the note.
    if (text === null || text === '') return setSaid(text === null ? words.failed : words.nothing)
    insert(field, text)
    change(field.value)
    if ((await save()) === null) return
    await call('dictations.delete', { id, accepted: true }).then(
      () => setSaid(words.added),
      () => {},
    ) // Else it waits.
  }
  const stop = async (): Promise<void> => {
    const id = await recorder.stop()
    if (id !== null) await transcribe(id)
  }
  const toggle = (event?: { preventDefault(): void }): void => {
    event?.preventDefault()
    setSaid('')
    if (area.current !== null) focus(area.current)
    if (isOwn && state.phase === 'recording') void stop()
    else if (isRecordingSession) recorder.refuse(section.key, 'recording-active')
    else if (ready) void recorder.start(session_id, section.key)
    else recorder.refuse(section.key, 'engine-not-ready')
  }
  return { state, isOwn, heard, said, waiting: waiting.filter(isHere), toggle, transcribe }
}

/** A field that never had the focus gets its caret at the end. */
function focus(field: HTMLTextAreaElement): void {
  if (document.activeElement === field) return
  if (field.selectionEnd === 0) field.setSelectionRange(field.value.length, field.value.length)
  field.focus()
}

/** Puts the words at the caret, with spaces where words would touch. */
function insert(field: HTMLTextAreaElement, text: string): void {
  const { value, selectionEnd } = field
  const at = selectionEnd === 0 && document.activeElement !== field ? value.length : selectionEnd
  const before = at > 0 && /\S/.test(value[at - 1]!) ? ' ' : ''
  const after = at < value.length && /\S/.test(value[at]!) ? ' ' : ''
  field.setRangeText(before + text + after, at, at, 'end')
}

/** Tab moves between fields, so the button has a keyboard shortcut instead of a tab stop. */
export function DictateButton({ state, isOwn, toggle }: Dictating) {
  if (isOwn && state.phase !== 'idle') return null
  return (
    <Button
      size="row"
      variant="quiet"
      className="dictate"
      icon={Mic}
      shortcut={keysFor(words.keys)}
      isDisabled={state.phase !== 'idle'}
      excludeFromTabOrder
      onPress={() => toggle()}
      label={words.start}
    />
  )
}

export function Dictations({ state, isOwn, heard, said, waiting, toggle, transcribe }: Dictating) {
  const { speech_host: host } = placesOf(useSession().settings)
  const isOn = isOwn && state.phase === 'recording'
  return (
    <>
      {isOwn && state.phase !== 'idle' && (
        <div className="dictating">
          <p className="dictating-on">
            <span className="dictating-dot" aria-hidden />
            {state.phase === 'starting' ? words.starting : state.silent_since_ms === null ? words.recording : words.silent}
          </p>
          <Level peak={isOn ? state.peak : 0} />
          <span className="tabular">{formatMoment(state.captured_ms)}</span>
          <Button
            icon={Square}
            shortcut={keysFor(words.keys)}
            isDisabled={state.phase === 'starting'}
            busy={state.phase === 'stopping' && words.stopping}
            onPress={() => toggle()}
            label={words.stop}
          />
          <p className="caption">{words.deleted({ host })}</p>
        </div>
      )}
      {isOwn && state.error !== null && <DictationTrouble code={state.error} />}
      {waiting.map(({ id, saved_ms, is_running }) =>
        heard === id ? (
          <Loading key={id}>{words.transcribing({ length: formatLength(saved_ms) })}</Loading>
        ) : (
          !is_running && <Waiting key={id} id={id} length={formatLength(saved_ms)} onTranscribe={() => void transcribe(id)} />
        ),
      )}
      <p className={said === words.added ? 'caption' : 'dictation-said'} role="status">
        {said}
        {isOn && <span className="visually-hidden">{words.recording}</span>}
      </p>
    </>
  )
}

function DictationTrouble({ code }: { readonly code: string }) {
  if (code === 'engine-not-ready') return <SpeechSetup title={words.notReady} text={words.notReadyText} />
  const { happened, kept, next } = errorSentences[isErrorCode(code) ? code : 'internal']
  if (code === 'microphone-denied' || code === 'microphone-missing' || code === 'microphone-lost')
    return <Notice tone="stopped" icon={CircleAlert} title={words[code]} />
  return <Notice tone="stopped" icon={CircleAlert} title={happened} text={`${kept} ${next}`} />
}

type WaitingProps = Readonly<{ id: string; length: string; onTranscribe?: () => void }>

function Waiting({ id, length, onTranscribe }: WaitingProps) {
  const discard = useAction('dictations.delete')
  const actions = (
    <>
      {onTranscribe && <Button onPress={onTranscribe} label={words.transcribe} />}
      <Button variant="erasing" onPress={() => discard.mutate({ id, accepted: false })} label={words.delete} />
    </>
  )
  const text = onTranscribe ? undefined : words.left
  return <Notice tone="needs" icon={Mic} title={words.waiting({ length })} text={text} actions={actions} />
}

/** Dictations that were still waiting when the note was signed on another computer. */
export const LeftDictations = () =>
  useDictations()?.waiting.map(({ id, saved_ms }) => <Waiting key={id} id={id} length={formatLength(saved_ms)} />)
