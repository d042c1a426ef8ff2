import { TriangleAlert } from 'lucide-react'
import type { Trouble } from '#contract/bridge/app.ts'
import { RecordingSign } from '#renderer/app/recording-sign.tsx'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { gateStrings, troubleWords } from '#renderer/strings/gate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CodeForm } from './unlock-forms.tsx'
import './gate.css'
import './trouble-screen.css'

const words = gateStrings.trouble

/** Why the records cannot be opened: what happened, what is kept, what to do. Nothing is changed by looking. */
export function TroubleScreen({ trouble }: { readonly trouble: Trouble }) {
  const told = troubleWords[trouble]
  const retry = useAction('vault.retry')
  return (
    <div className="gate">
      <header className="gate-bar">
        <RecordingSign />
      </header>
      <main className="trouble">
        <TriangleAlert aria-hidden className="trouble-icon" />
        <h1 className="gate-title">{told.title}</h1>
        <p className="trouble-lead">{told.happened}</p>
        <dl className="trouble-facts">
          <div>
            <dt>{words.kept}</dt>
            <dd>{told.kept}</dd>
          </div>
          <div>
            <dt>{words.next}</dt>
            <dd>{told.next}</dd>
          </div>
        </dl>
        {told.takesCode && (
          <div className="trouble-code">
            <CodeForm label={words.open} busyLabel={words.opening} />
          </div>
        )}
        <div className="trouble-actions">
          <Button
            variant={told.takesCode ? 'outlined' : 'filled'}
            size="large"
            busy={retry.isPending ? words.retrying : undefined}
            onPress={() => retry.mutate({})}
          >
            {words.retry}
          </Button>
          <span className="caption" role="status">
            {retry.isSuccess || retry.isError ? words.still : ''}
          </span>
        </div>
        <p className="caption">{words.details(trouble)}</p>
      </main>
    </div>
  )
}
