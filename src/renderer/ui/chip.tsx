import { Ban, Check, CircleAlert, FileText, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import './chip.css'

export type ChipTone = 'neutral' | 'kept' | 'needs' | 'stopped' | 'draft'

const defaultIcons: Readonly<Record<ChipTone, LucideIcon | null>> = {
  neutral: null,
  kept: Check,
  needs: CircleAlert,
  stopped: Ban,
  draft: FileText,
}

interface ChipProps {
  readonly tone?: ChipTone
  readonly icon?: LucideIcon | null
  readonly children: ReactNode
}

export function Chip({ tone = 'neutral', icon, children }: ChipProps) {
  const Icon = icon === undefined ? defaultIcons[tone] : icon
  return (
    <span className={`ui-chip ui-chip-${tone}`}>
      {Icon && <Icon aria-hidden />}
      {children}
    </span>
  )
}
