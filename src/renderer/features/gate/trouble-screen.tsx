import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Trouble } from '#contract/bridge/app.ts'
import { useAppState } from '#renderer/lib/app-state.ts'
import { RecordingSign } from '#renderer/lib/recording-sign.tsx'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { gateStrings, troubleWords } from '#renderer/strings/gate.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { CodeForm } from './unlock-forms.tsx'
import './gate.css'
import './trouble-screen.css'

const words = gateStrings.trouble

/** Why the records cannot be opened: what happened, what is kept, what to do. Nothing is changed by looking. */
export function TroubleScreen({ trouble }: { readonly trouble: Trouble }) {
  const told = troubleWords[trouble]
  const app = useAppState()
  const retry = useAction('vault.retry')
  // Where the key is gone the code is the way; where the keychain is only shut, trying again is.
  const [isCodeOpen, setCodeOpen] = useState(trouble === 'key-gone')
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
          {app && (
            <div>
              <dt>{words.folder}</dt>
              <dd>{app.data_folder}</dd>
            </div>
          )}
        </dl>
        {told.takesCode && isCodeOpen && (
          <div className="trouble-code">
            <CodeForm label={words.open} busyLabel={words.opening} />
          </div>
        )}
        <div className="trouble-actions">
          <Button
            variant={isCodeOpen ? 'outlined' : 'filled'}
            size="large"
            busy={retry.isPending ? words.retrying : undefined}
            onPress={() => retry.mutate({})}
          >
            {words.retry}
          </Button>
          {told.takesCode && !isCodeOpen && <LinkButton onPress={() => setCodeOpen(true)}>{gateStrings.lock.useCode}</LinkButton>}
          <span className="caption" role="status">
            {retry.isSuccess || retry.isError ? words.still : ''}
          </span>
        </div>
        <p className="caption">{words.details(trouble)}</p>
      </main>
    </div>
  )
}
