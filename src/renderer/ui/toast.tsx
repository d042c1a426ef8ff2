import { Check, Info, X } from 'lucide-react'
import { createContext, use, useCallback, useEffect, useState, type ReactNode } from 'react'
import { fieldStrings } from '../strings/app.ts'
import { IconButton, LinkButton } from './button.tsx'
import './toast.css'

interface ToastMessage {
  readonly text: string
  readonly kind?: 'done' | 'told'
  readonly onUndo?: () => void
}

interface Shown extends ToastMessage {
  readonly id: string
  /** In milliseconds, from `performance.now()`. */
  readonly at: number
}

const SHOWN_FOR_MS = 6000
/** A toast shown within this time before a navigation stays visible on the new page. */
const SAME_ACT_MS = 500
const ToastContext = createContext<(message: ToastMessage) => void>(() => undefined)

/** Do not use toasts for errors that need a decision. Show these errors in the page. */
export const useToast = (): ((message: ToastMessage) => void) => use(ToastContext)

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly Shown[]>([])
  const remove = useCallback((id: string) => setShown((before) => before.filter((toast) => toast.id !== id)), [])
  const add = useCallback((message: ToastMessage) => {
    const next = { ...message, id: crypto.randomUUID(), at: performance.now() }
    // Show at most this toast and the last one with Undo, so that toasts don't cover the page.
    setShown((before) => [...before.filter((toast) => toast.onUndo !== undefined).slice(-1), next])
  }, [])
  useEffect(() => {
    const onPage = (): void =>
      setShown((before) => before.filter((toast) => toast.onUndo !== undefined || performance.now() - toast.at < SAME_ACT_MS))
    window.addEventListener('hashchange', onPage)
    return () => window.removeEventListener('hashchange', onPage)
  }, [])
  return (
    <ToastContext value={add}>
      {children}
      <div className="ui-toasts" role="status" aria-live="polite">
        {shown.map((toast) => (
          <Toast key={toast.id} toast={toast} onRemove={remove} />
        ))}
      </div>
    </ToastContext>
  )
}

function Toast({ toast, onRemove }: { readonly toast: Shown; readonly onRemove: (id: string) => void }) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => onRemove(toast.id), SHOWN_FOR_MS)
    return () => clearTimeout(timer)
  }, [isHeld, onRemove, toast.id])
  const Icon = toast.kind === 'told' ? Info : Check
  return (
    <div
      className="ui-toast"
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <Icon aria-hidden />
      <span className="ui-toast-text">{toast.text}</span>
      {toast.onUndo && (
        <LinkButton
          onPress={() => {
            toast.onUndo?.()
            onRemove(toast.id)
          }}
        >
          {fieldStrings.undo}
        </LinkButton>
      )}
      <IconButton label={fieldStrings.dismiss} icon={X} size="row" onPress={() => onRemove(toast.id)} />
    </div>
  )
}
