import type { LucideIcon } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, Tooltip, TooltipTrigger, type PressEvent } from 'react-aria-components'
import './busy-ring.css'
import './button.css'

export interface ButtonProps {
  readonly ref?: Ref<HTMLButtonElement>
  readonly variant?: 'filled' | 'outlined' | 'quiet' | 'erasing'
  /** Heights: row 28 px, normal 34 px, large 44 px. */
  readonly size?: 'row' | 'normal' | 'large'
  readonly icon?: LucideIcon
  /** Only shown, e.g. "P". The page handles the key. */
  readonly shortcut?: string
  readonly busy?: string | undefined
  readonly isDisabled?: boolean
  /** Why the button is disabled. Shown next to it. */
  readonly reason?: string | undefined
  readonly type?: 'button' | 'submit'
  readonly form?: string
  readonly autoFocus?: boolean
  readonly 'aria-label'?: string
  readonly 'aria-describedby'?: string
  readonly 'aria-expanded'?: boolean
  readonly className?: string
  readonly onPress?: (event: PressEvent) => void
  readonly label?: string
  /** Instead of a label, if the button shows more than a text. */
  readonly children?: ReactNode
}

export function Button(props: ButtonProps) {
  const {
    variant = 'outlined',
    size = 'normal',
    icon: Icon,
    shortcut,
    busy,
    isDisabled = false,
    reason,
    className,
    label,
    children,
    onPress,
    ...rest
  } = props
  const button = (
    <AriaButton
      {...rest}
      {...(onPress === undefined ? {} : { onPress })}
      className={`ui-button ui-button-${variant} ui-button-${size} ${className ?? ''}`}
      isDisabled={isDisabled}
      isPending={busy !== undefined}
      {...(shortcut === undefined ? {} : { 'aria-keyshortcuts': shortcut })}
    >
      <span className={busy === undefined ? 'ui-button-face' : 'ui-button-face ui-button-face-waiting'}>
        {Icon && <Icon aria-hidden />}
        <span className="ui-button-label">{label ?? children}</span>
        {shortcut !== undefined && (
          <kbd className="ui-button-key" aria-hidden>
            {shortcut}
          </kbd>
        )}
      </span>
      {busy !== undefined && (
        <span className="ui-button-busy">
          <BusyRing />
          {busy}
        </span>
      )}
    </AriaButton>
  )
  if (!isDisabled || reason === undefined) return button
  return (
    <span className="ui-button-with-reason">
      {button}
      <span className="caption">{reason}</span>
    </span>
  )
}

export interface IconButtonProps {
  /** The accessible name and the tooltip. */
  readonly label: string
  readonly icon: LucideIcon
  readonly shortcut?: string
  readonly size?: 'row' | 'normal' | 'large'
  readonly variant?: 'quiet' | 'outlined' | 'filled'
  readonly isPressed?: boolean
  readonly isDisabled?: boolean
  readonly autoFocus?: boolean
  readonly className?: string
  readonly onPress?: (event: PressEvent) => void
}

export function IconButton(props: IconButtonProps) {
  const { label, icon: Icon, shortcut, size = 'normal', variant = 'quiet', isPressed, className, onPress, ...rest } = props
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      <AriaButton
        {...rest}
        {...(onPress === undefined ? {} : { onPress })}
        {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
        {...(shortcut === undefined ? {} : { 'aria-keyshortcuts': shortcut })}
        aria-label={label}
        className={`ui-button ui-icon-button ui-button-${variant} ui-button-${size} ${className ?? ''}`}
      >
        <Icon aria-hidden />
      </AriaButton>
      <Tooltip className="ui-tooltip" offset={6}>
        {label}
        {shortcut !== undefined && <kbd>{shortcut}</kbd>}
      </Tooltip>
    </TooltipTrigger>
  )
}

export interface LinkButtonProps {
  readonly icon?: LucideIcon
  readonly isDisabled?: boolean
  readonly onPress: () => void
  readonly children: ReactNode
}

export function LinkButton({ icon: Icon, children, ...rest }: LinkButtonProps) {
  return (
    <AriaButton {...rest} className="ui-link-button">
      {Icon && <Icon aria-hidden />}
      {children}
    </AriaButton>
  )
}

/** The only animation that repeats. Other elements have at most short transitions. */
export function BusyRing() {
  return <span className="ui-busy-ring" aria-hidden />
}
