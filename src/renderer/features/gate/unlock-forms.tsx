import { useState, type FormEvent, type ReactNode } from 'react'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { gateStrings, type TroubleWords, troubleWords } from '#renderer/strings/gate.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import './unlock-forms.css'
import { TriangleAlert } from 'lucide-react'
import type { AppState, Trouble } from '#contract/bridge/app.ts'
import { useAppState } from '#renderer/lib/app-state.ts'
import { RecordingSign } from '#renderer/lib/recording-sign.tsx'
import './gate.css'
import './trouble-screen.css'

const words = gateStrings.lock

export function PassphraseForm() {
  const unlock = useAction('vault.unlock')
  const [passphrase, setPassphrase] = useState('')
  return (
    <UnlockForm
      busy={unlock.isPending ? words.unlocking : undefined}
      label={words.unlock}
      problem={unlock.error && unlock.error.code !== 'wrong-passphrase' ? unlock.error.code : null}
      onSubmit={() => {
        if (passphrase !== '') unlock.mutate({ passphrase })
      }}
    >
      <TextField
        label={words.passphrase}
        type="password"
        size="large"
        autoFocus
        value={passphrase}
        onChange={(value) => {
          setPassphrase(value)
          if (unlock.isError) unlock.reset()
        }}
        error={unlock.error?.code === 'wrong-passphrase' ? words.wrong : undefined}
      />
    </UnlockForm>
  )
}

export function CodeForm({
  label = words.unlock,
  busyLabel = words.unlocking,
}: {
  readonly label?: string
  readonly busyLabel?: string
}) {
  const unlock = useAction('vault.unlock')
  const [code, setCode] = useState('')
  const submit = (): void => {
    if (code.trim() !== '' && !unlock.isPending) unlock.mutate({ recovery_code: code.trim() })
  }
  return (
    <UnlockForm
      busy={unlock.isPending ? busyLabel : undefined}
      label={label}
      problem={unlock.error && unlock.error.code !== 'wrong-recovery-code' ? unlock.error.code : null}
      onSubmit={submit}
    >
      <TextField
        className="unlock-code"
        label={words.code}
        help={words.codeHelp}
        isMultiline
        rows={2}
        autoFocus
        maxLength={200}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          submit()
        }}
        value={code}
        onChange={(value) => {
          setCode(value.replaceAll('\n', ''))
          if (unlock.isError) unlock.reset()
        }}
        error={unlock.error?.code === 'wrong-recovery-code' ? words.codeWrong : undefined}
      />
    </UnlockForm>
  )
}

interface UnlockFormProps {
  readonly label: string
  readonly busy: string | undefined
  readonly problem: string | null
  readonly onSubmit: () => void
  readonly children: ReactNode
}

function UnlockForm({ label, busy, problem, onSubmit, children }: UnlockFormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (busy === undefined) onSubmit()
  }
  return (
    <form className="unlock-form" onSubmit={submit}>
      {children}
      {problem !== null && <Problem code={problem} />}
      <Button variant="filled" size="large" type="submit" busy={busy}>
        {label}
      </Button>
    </form>
  )
}

const troubleScreenWords = gateStrings.trouble

const MAX_NAMED = 8

function fileList(files: AppState['unopened_files']): string {
  const names = files.slice(0, MAX_NAMED).map(({ name, is_zip }) => (is_zip ? troubleScreenWords.zip({ name }) : name))
  const more = files.length - names.length
  return (more > 0 ? [...names, troubleScreenWords.moreFiles({ count: more })] : names).join(', ')
}

export function TroubleScreen({ trouble }: { readonly trouble: Trouble }) {
  const told = troubleWords[trouble]
  const app = useAppState()
  const retry = useAction('vault.retry')
  // If the key is gone, only the recovery code helps. Other troubles may go away on a retry.
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
        <TroubleFacts told={told} app={app} />
        {told.takesCode && isCodeOpen && (
          <div className="trouble-code">
            {app?.keys_may_be_older === true && <Notice tone="needs">{words.olderKeys}</Notice>}
            <CodeForm label={troubleScreenWords.open} busyLabel={troubleScreenWords.opening} />
          </div>
        )}
        <div className="trouble-actions">
          <Button
            variant={isCodeOpen ? 'outlined' : 'filled'}
            size="large"
            busy={retry.isPending ? troubleScreenWords.retrying : undefined}
            onPress={() => retry.mutate({})}
          >
            {troubleScreenWords.retry}
          </Button>
          {told.takesCode && !isCodeOpen && <LinkButton onPress={() => setCodeOpen(true)}>{gateStrings.lock.useCode}</LinkButton>}
          <span className="caption" role="status">
            {retry.isSuccess || retry.isError ? troubleScreenWords.still : ''}
          </span>
        </div>
        <p className="caption">{troubleScreenWords.details({ code: trouble })}</p>
      </main>
    </div>
  )
}

function TroubleFacts({ told, app }: { readonly told: TroubleWords; readonly app: AppState | undefined }) {
  return (
    <dl className="trouble-facts">
      <div>
        <dt>{troubleScreenWords.kept}</dt>
        <dd>{told.kept}</dd>
      </div>
      <div>
        <dt>{troubleScreenWords.next}</dt>
        <dd>{told.next}</dd>
      </div>
      {app && app.unopened_files.length > 0 && (
        <div>
          <dt>{troubleScreenWords.unopened}</dt>
          <dd>{fileList(app.unopened_files)}</dd>
        </div>
      )}
      {app && (
        <div>
          <dt>{troubleScreenWords.folder}</dt>
          <dd>{app.data_folder}</dd>
        </div>
      )}
    </dl>
  )
}
