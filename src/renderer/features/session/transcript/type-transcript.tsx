import { useState } from 'react'
import { useName } from '#renderer/lib/names.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { transcriptWords } from '#renderer/strings/transcript.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { peopleOf, type SessionData } from '../session-data.ts'
import { parseTypedLines } from './typed-lines.ts'

const words = transcriptWords.none

export function TypeTranscript({ data }: { readonly data: SessionData }) {
  const name = useName()
  const [text, setText] = useState('')
  const save = useAction('transcripts.save')
  const people = peopleOf(data.row)
  const typed = parseTypedLines(text, data.settings.therapist_name, people)
  const keep = (): void =>
    save.mutate({ session_id: data.row.session.id, version: null, speakers: typed.speakers, segments: typed.segments })
  return (
    <section className="ui-card way" aria-labelledby="type-title">
      <h3 id="type-title" className="way-title">
        {words.typeTitle}
      </h3>
      <TextField
        label={words.typeField}
        help={words.typeHelp(name(people[0]?.name.split(/\s+/)[0] ?? data.row.client_name))}
        placeholder={words.example}
        value={text}
        onChange={setText}
        isMultiline
        rows={9}
      />
      {save.error !== null && <Problem code={save.error.code} />}
      <div>
        <Button
          isDisabled={typed.segments.length === 0}
          reason={words.typeEmpty}
          busy={save.isPending ? words.typing : undefined}
          onPress={keep}
        >
          {words.typeKeep(typed.segments.length)}
        </Button>
      </div>
    </section>
  )
}
