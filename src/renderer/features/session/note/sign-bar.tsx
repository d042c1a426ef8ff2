import { Check, CircleAlert, CircleHelp, MessageSquareDashed, ShieldAlert, type LucideIcon } from 'lucide-react'
import type { ToCheck } from '#domain/note-review.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import type { SaveState } from '../autosave.ts'

const words = noteWords.bar

interface BarProps {
  readonly left: ToCheck
  readonly save: SaveState
  readonly isEmpty: boolean
  readonly onNext: () => void
  readonly onSign: () => void
}

/** One filled button: check the next one while something is left, then sign. */
export function SignBar({ left, save, isEmpty, onNext, onSign }: BarProps) {
  const isReady = left.total === 0 && !isEmpty
  const counts: readonly (readonly [number, LucideIcon, string])[] = [
    [left.safety, ShieldAlert, words.safety(left.safety)],
    [left.source, CircleAlert, words.source(left.source)],
    [left.doubt, CircleHelp, words.doubt(left.doubt)],
    [left.omission, MessageSquareDashed, words.omission(left.omission)],
  ]
  return (
    <footer className="sign-bar" aria-label={words.title} data-region>
      <strong>{words.title}</strong>
      <ul className="sign-counts">
        {counts
          .filter(([count]) => count > 0)
          .map(([, Icon, text]) => (
            <li key={text}>
              <Icon aria-hidden />
              {text}
            </li>
          ))}
        {isReady && (
          <li className="sign-ready">
            <Check aria-hidden />
            {words.ready}
          </li>
        )}
        {isEmpty && <li>{words.empty}</li>}
      </ul>
      <span className="sign-saved caption" role="status">
        {save === 'still' || save === 'changed' || save === 'saving' ? noteWords.save[save] : ''}
      </span>
      <Button size="large" variant={isReady ? 'filled' : 'outlined'} isDisabled={!isReady} onPress={onSign}>
        {words.sign}
      </Button>
      {left.total > 0 && (
        <Button size="large" variant="filled" shortcut="N" onPress={onNext}>
          {words.next}
        </Button>
      )}
    </footer>
  )
}
