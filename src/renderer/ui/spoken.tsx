import type { ReactNode } from 'react'
import './spoken.css'

interface SpokenProps {
  readonly children: ReactNode
  readonly size?: 'normal' | 'small'
  readonly className?: string
}

/** Quoted speech is in a serif font. Apart from the app's mark, all other text is sans serif. */
export function Spoken({ children, size = 'normal', className }: SpokenProps) {
  return <span className={`ui-spoken ui-spoken-${size} ${className ?? ''}`}>{children}</span>
}
