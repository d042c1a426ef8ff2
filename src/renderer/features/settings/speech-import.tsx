import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { modelStrings } from '#renderer/strings/models.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/page.tsx'

const words = modelStrings.import

/** For a laptop that is never online. */
export function ImportModels() {
  const bring = useAction('models.import')
  const [path, setPath] = useState('')
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setMissing(path.trim() === '')
    if (path.trim() !== '') bring.mutate({ paths: [path.trim()], own_name: name.trim() === '' ? null : name.trim() })
  }
  const { data, error } = bring
  return (
    <form className="setting models-import" onSubmit={submit}>
      <div className="setting-words">
        <p className="setting-label">{words.title}</p>
        <p className="setting-text">{words.text}</p>
      </div>
      <div className="models-import-fields">
        <TextField
          label={words.path}
          help={words.pathHelp}
          error={isMissing ? words.missing : undefined}
          value={path}
          onChange={setPath}
          maxLength={4096}
        />
        <TextField label={words.name} help={words.nameHelp} value={name} onChange={setName} maxLength={80} />
        <Button type="submit" busy={bring.isPending ? words.bringing : undefined}>
          {words.bring}
        </Button>
      </div>
      <div role="status" className="setting-test-answer">
        {data && (
          <Notice
            tone={data.imported.length > 0 ? 'kept' : 'needs'}
            icon={CircleCheck}
            title={words.done(data.imported.map((model) => model.name))}
          >
            {data.refused.map(({ file, why }) => (
              <p key={file}>
                {file}: {why}
              </p>
            ))}
          </Notice>
        )}
        {error && (
          <Notice tone="needs" icon={TriangleAlert} title={errorSentences[error.code].happened}>
            {error.detail ?? errorSentences[error.code].next}
          </Notice>
        )}
      </div>
    </form>
  )
}
