import { useEffect, useState, type FormEvent, type ReactNode } from 'react'
import type { MethodInput } from '#contract/bridge/methods.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { gateStrings, type TroubleWords, troubleWords } from '#renderer/strings/gate.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import { Notice, Pairs, Problem } from '#renderer/ui/page.tsx'
import { TriangleAlert } from 'lucide-react'
import type { AppState, Trouble } from '#contract/bridge/app.ts'
import { useAppState } from '#renderer/lib/app-state.ts'
import { RecordingSign } from '#renderer/lib/recording-sign.tsx'
import './gate.css'
import './trouble-screen.css'

const words = gateStrings.lock
const troubleScreenWords = gateStrings.trouble

export function PassphraseForm() {
  const { typed, bind, problem, isPending, submit } = useUnlock('wrong-passphrase', words.wrong)
  return (
    <UnlockForm
      label={words.unlock}
      busy={isPending && words.unlocking}
      problem={problem}
      onSubmit={() => typed !== '' && submit({ passphrase: typed })}
    >
      <TextField {...bind} label={words.passphrase} type="password" size="large" autoFocus />
    </UnlockForm>
  )
}

type CodeFormProps = Readonly<{ label?: string; busyLabel?: string }>

export function CodeForm({ label = words.unlock, busyLabel = words.unlocking }: CodeFormProps) {
  const { typed, bind, problem, isPending, submit } = useUnlock('wrong-recovery-code', words.codeWrong)
  const send = (): void => {
    if (typed.trim() !== '') submit({ recovery_code: typed.trim() })
  }
  return (
    <UnlockForm label={label} busy={isPending && busyLabel} problem={problem} onSubmit={send}>
      <TextField
        {...bind}
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
          send()
        }}
        onChange={(value) => bind.onChange(value.replaceAll('\n', ''))}
      />
    </UnlockForm>
  )
}

/** @param refused the error code that means that the typed secret is wrong */
function useUnlock(refused: ErrorCode, refusedWords: string) {
  const { mutate, error, isPending, isError, reset } = useAction('vault.unlock')
  const [typed, setTyped] = useState('')
  const onChange = (value: string): void => {
    setTyped(value)
    if (isError) reset()
  }
  return {
    typed,
    bind: { value: typed, onChange, error: error?.code === refused ? refusedWords : undefined },
    problem: error && error.code !== refused ? error.code : null,
    isPending,
    submit: (proof: MethodInput<'vault.unlock'>): void => {
      if (!isPending) mutate(proof)
    },
  }
}

interface UnlockFormProps {
  readonly label: string
  readonly busy: string | false
  readonly problem: string | null
  readonly onSubmit: () => unknown
  readonly children: ReactNode
}

function UnlockForm({ label, busy, problem, onSubmit, children }: UnlockFormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className="unlock-form" onSubmit={submit}>
      {children}
      {problem !== null && <Problem code={problem} />}
      <Button variant="filled" size="large" type="submit" busy={busy} label={label} />
      <SlowOpening isPending={busy !== false} />
    </form>
  )
}

const SLOW_AFTER_MS = 4000

export function SlowOpening({ isPending }: { readonly isPending: boolean }) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isPending) return
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isPending])
  return (
    <p className="caption" role="status">
      {isSlow ? words.slow : ''}
    </p>
  )
}

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
            {app?.keys_may_be_older === true && <Notice tone="needs" text={words.olderKeys} />}
            <CodeForm label={troubleScreenWords.open} busyLabel={troubleScreenWords.opening} />
          </div>
        )}
        <div className="trouble-actions">
          <Button
            variant={isCodeOpen ? 'outlined' : 'filled'}
            size="large"
            busy={retry.isPending && troubleScreenWords.retrying}
            onPress={() => retry.mutate({})}
            label={troubleScreenWords.retry}
          />
          {told.takesCode && !isCodeOpen && <LinkButton onPress={() => setCodeOpen(true)} label={gateStrings.lock.useCode} />}
          <SlowOpening isPending={retry.isPending} />
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
  const unopened = app?.unopened_files ?? []
  const facts = [
    [troubleScreenWords.kept, told.kept],
    [troubleScreenWords.next, told.next],
    [troubleScreenWords.unopened, unopened.length > 0 && fileList(unopened)],
    [troubleScreenWords.folder, app?.data_folder],
  ] as const
  return <Pairs className="trouble-facts" items={facts.filter(([, text]) => text)} />
}
