import { FileUp } from 'lucide-react'
import { useRef, useState, type DragEvent } from 'react'
import { useAction, type BridgeFailure } from '#renderer/bridge/use-bridge.ts'
import { transcriptWords } from '#renderer/strings/transcript.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import type { SessionData } from '../session-data.ts'

const words = transcriptWords.none
const largest = 20_000_000

export function ImportTranscript({ data }: { readonly data: SessionData }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [isTooLarge, setTooLarge] = useState(false)
  const bring = useAction('transcripts.import')
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    setTooLarge(file.size > largest)
    if (file.size > largest) return
    const content = new Uint8Array(await file.arrayBuffer())
    bring.mutate({ session_id: data.row.session.id, file_name: file.name, content })
  }
  const onDrag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(over)
  }
  return (
    <section
      className={isOver ? 'ui-card way way-over' : 'ui-card way'}
      aria-labelledby="import-title"
      onDragEnter={onDrag(true)}
      onDragOver={onDrag(true)}
      onDragLeave={onDrag(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void take(event.dataTransfer.files[0])
      }}
    >
      <h3 id="import-title" className="way-title">
        {words.importTitle}
      </h3>
      <p className="muted">{isOver ? words.drop : words.importHelp}</p>
      <input
        ref={input}
        type="file"
        autoComplete="off"
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden
        accept=".txt,.vtt,.srt,.json,text/plain,text/vtt,application/json"
        onChange={(event) => {
          void take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <div>
        <Button icon={FileUp} busy={bring.isPending ? words.importing : undefined} onPress={() => input.current?.click()}>
          {words.choose}
        </Button>
      </div>
      {isTooLarge ? <Notice tone="needs" title={words.tooLarge} /> : bring.error !== null && <Refused failure={bring.error} />}
    </section>
  )
}

function Refused({ failure }: { readonly failure: BridgeFailure }) {
  if (failure.code !== 'import-unreadable') return <Problem code={failure.code} />
  return (
    <Notice tone="stopped" title={words.unreadable}>
      {failure.detail ?? words.unreadableHelp}
    </Notice>
  )
}
