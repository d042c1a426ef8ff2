import type { ReactNode } from 'react'
import './spoken.css'

interface SpokenProps {
  readonly children: ReactNode
  readonly size?: 'normal' | 'small'
  readonly className?: string
}

export function Spoken({ children, size = 'normal', className }: SpokenProps) {
  return <span className={`ui-spoken ui-spoken-${size} ${className ?? ''}`}>{children}</span>
}
