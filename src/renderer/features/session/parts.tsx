import type { LucideIcon } from 'lucide-react'
import { useEffect, useId, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import type { Work } from '#contract/bridge/sessions.ts'
import { SavedSound } from '#renderer/audio/player-bar.tsx'
import { transcriptWords } from '#renderer/strings/transcript.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Loading } from '#renderer/ui/page.tsx'
import { useOpenBox } from './notices.tsx'
import { playableId, useSession } from './session-data.ts'

interface TitledProps {
  readonly title: ReactNode
  readonly look?: 'session-section' | 'session-aside' | 'note-section'
  readonly className?: string
  readonly children: ReactNode
}

export function TitledSection({ title, look = 'session-section', className, children }: TitledProps) {
  const id = useId()
  return (
    <section className={className} aria-labelledby={id}>
      <h2 id={id} className={`${look}-title`}>
        {title}
      </h2>
      {children}
    </section>
  )
}

interface IconTextProps {
  readonly as?: 'p' | 'li' | 'span'
  readonly className?: string
  readonly icon: LucideIcon
  readonly text: ReactNode
}

export function IconText({ as: Element = 'p', className, icon: Icon, text }: IconTextProps) {
  return (
    <Element className={className}>
      <Icon aria-hidden />
      {text}
    </Element>
  )
}

export function LocalForm({ onSubmit, ...rest }: Omit<ComponentProps<'form'>, 'onSubmit'> & { readonly onSubmit: () => void }) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}

interface EditorProps {
  readonly text: string
  readonly label: string
  readonly className: 'sentence-editor' | 'turn-editor-field'
  readonly columns: number
  readonly maxLength?: number
  readonly keep: string
  readonly cancel: string
  readonly help: string
  readonly onDone: (text: string | null) => void
}

export function LinesEditor({ text: first, label, className, columns, maxLength, keep, cancel, help, onDone }: EditorProps) {
  const [text, setText] = useState(first)
  const area = useRef<HTMLTextAreaElement>(null)
  const isDone = useRef(false)
  const done = (result: string | null): void => {
    isDone.current = true
    onDone(result)
  }
  useOpenBox(() => {
    if (!isDone.current && text.trim() !== '' && text !== first) done(text)
    return null
  })
  useEffect(() => {
    area.current?.focus()
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length)
  }, [])
  return (
    <div className={className}>
      <textarea
        ref={area}
        aria-label={label}
        autoComplete="off"
        value={text}
        maxLength={maxLength}
        rows={Math.max(2, Math.ceil(text.length / columns))}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') done(null)
          if (event.key !== 'Enter' || event.shiftKey) return
          event.preventDefault()
          done(text)
        }}
      />
      <div className="sentence-editor-actions">
        <Button size="row" variant="filled" onPress={() => done(text)} label={keep} />
        <Button size="row" variant="quiet" onPress={() => done(null)} label={cancel} />
        <span className="caption">{help}</span>
      </div>
    </div>
  )
}

interface WritingProps {
  readonly work: Work
  readonly title: string
  readonly waiting: string
  readonly progress: (part: { readonly percent: number }) => string
  readonly cancel: string
  readonly onCancel: () => void
  readonly children?: ReactNode
}

export function Writing({ work, title, waiting, progress, cancel, onCancel, children }: WritingProps) {
  const percent = Math.round(work.progress * 100)
  return (
    <div className="tab-body no-note">
      <Loading progress={work.progress} left={work.state === 'waiting' && percent === 0 ? waiting : progress({ percent })}>
        {title}
      </Loading>
      {children}
      <p className="visually-hidden" role="status">
        {progress({ percent: Math.floor(work.progress * 4) * 25 })}
      </p>
      <div className="no-note-form">
        <Button onPress={onCancel} label={cancel} />
      </div>
    </div>
  )
}

export function SessionSound() {
  const { recording } = useSession()
  if (recording === null || playableId(recording) === null) return null
  return (
    <div className="session-sound ui-card">
      <SavedSound key={recording.id} recording={recording} words={transcriptWords.sound} />
    </div>
  )
}
