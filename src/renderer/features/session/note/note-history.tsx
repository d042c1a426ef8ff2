import { History } from 'lucide-react'
import { Fragment, useState } from 'react'
import type { NoteVersion } from '#contract/bridge/notes.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Note } from '#contract/model/note.ts'
import { useAttempt, useCall } from '#renderer/bridge/use-bridge.ts'
import { differingWords, type Piece } from '#renderer/lib/differing-words.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { formatDayTime } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Answer, Problem } from '#renderer/ui/page.tsx'
import { useSession } from '../session-data.ts'
import { textOf } from './note-edit.ts'

const words = noteWords.history

interface HistoryProps {
  readonly note: Note
  /** Stores the text of an earlier version as the note. Not for signed notes. */
  readonly onRestore?: (number: number) => Promise<unknown>
}

export function NoteHistory(props: HistoryProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={History} onPress={() => setOpen(true)} label={words.open} />
      {isOpen && <HistoryDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function HistoryDialog({ note, onRestore, onClose }: HistoryProps & { readonly onClose: () => void }) {
  const { id, settings } = useSession()
  const versions = useCall('notes.versions', { session_id: id })
  const [chosen, setChosen] = useState<string | null>(null)
  const { doing, error, attempt } = useAttempt<'restore'>()
  const version = versions.data?.find(({ number }) => String(number) === chosen) ?? versions.data?.[1] ?? versions.data?.[0]
  const whoOf = ({ step, by }: NoteVersion): string => by ?? (isOwn.has(step) ? settings.therapist_name : words.others[step])
  const restore = async (number: number): Promise<void> => {
    const failed: ErrorCode | null = await attempt('restore', async () => onRestore?.(number))
    if (failed === null) onClose()
  }
  const isEarlier = version !== undefined && version.number !== versions.data?.[0]?.number
  return (
    <Dialog
      title={words.title}
      lead={onRestore === undefined ? words.leadSigned : words.lead}
      size="wide"
      isReading
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} label={words.close} />
          {onRestore !== undefined && isEarlier && (
            <Button
              variant="filled"
              busy={doing !== null && words.restoring}
              onPress={() => void restore(version.number)}
              label={words.restore}
            />
          )}
        </>
      }
    >
      {error !== null && <Problem code={error} />}
      <Answer of={versions}>
        {(found) => (
          <div className="note-history">
            <RadioGroup
              label={words.versions}
              value={version === undefined ? null : String(version.number)}
              onChange={setChosen}
              options={found.map((one, index) => ({
                value: String(one.number),
                label: index === 0 ? words.current({ step: words.steps[one.step] }) : words.steps[one.step],
                detail: words.when({ who: whoOf(one), at: formatDayTime(one.at) }),
              }))}
            />
            {version !== undefined && <Compared then={version.sections} now={note.sections} />}
          </div>
        )}
      </Answer>
    </Dialog>
  )
}

const isOwn = new Set<NoteVersion['step']>(['started', 'edited', 'restored'])

/** The sections that differ, as they were and as they are. */
function Compared({ then, now }: Readonly<Record<'then' | 'now', Note['sections']>>) {
  const text = (sections: Note['sections'], key: string): string =>
    textOf(sections.find((section) => section.key === key)?.statements ?? [])
  const titles = new Map([...now, ...then].map(({ key, title }) => [key, title]))
  const changed = [...titles].filter(([key]) => text(then, key) !== text(now, key))
  return (
    <section className="note-compared" aria-label={words.compared}>
      {changed.length === 0 && <p className="muted">{words.same}</p>}
      {changed.map(([key, title]) => {
        const [removed, added] = differingWords(text(then, key), text(now, key))
        return (
          <Fragment key={key}>
            <h3>{title}</h3>
            <p className="caption">{words.then}</p>
            <Side pieces={removed} as="del" />
            <p className="caption">{words.now}</p>
            <Side pieces={added} as="ins" />
          </Fragment>
        )
      })}
    </section>
  )
}

function Side({ pieces, as: Element }: { readonly pieces: readonly Piece[]; readonly as: 'del' | 'ins' }) {
  if (pieces.length === 0) return <p className="muted">{words.empty}</p>
  return (
    <p className="note-side">
      {pieces.map(({ text, differs }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never change order
        <Fragment key={index}>{differs ? <Element>{text}</Element> : text}</Fragment>
      ))}
    </p>
  )
}
