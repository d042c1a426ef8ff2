import { appStrings } from '#renderer/strings/app.ts'
import './mark.css'

export function Mark({ size = 'small' }: { readonly size?: 'small' | 'middle' | 'large' }) {
  return (
    <span className={`mark mark-${size}`} aria-hidden>
      {appStrings.mark}
    </span>
  )
}
