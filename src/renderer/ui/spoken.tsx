import type { ReactNode } from 'react'
import './spoken.css'

/** Words a person said. Everything else is sans; never break this. */
export function Spoken({
  children,
  size = 'normal',
  className,
}: {
  readonly children: ReactNode
  readonly size?: 'normal' | 'small'
  readonly className?: string
}) {
  return <span className={`ui-spoken ui-spoken-${size} ${className ?? ''}`}>{children}</span>
}
