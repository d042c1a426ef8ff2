import type { LucideIcon } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, Tooltip, TooltipTrigger, type PressEvent } from 'react-aria-components'
import './busy-ring.css'
import './button.css'

export interface ButtonProps {
  /** To move the focus to it. */
  readonly ref?: Ref<HTMLButtonElement>
  readonly variant?: 'filled' | 'outlined' | 'quiet' | 'erasing'
  /** row 28, normal 34, large 44 pixels high. */
  readonly size?: 'row' | 'normal' | 'large'
  readonly icon?: LucideIcon
  /** Shown at the end of the label, e.g. "P"; the key itself is handled elsewhere. */
  readonly shortcut?: string
  /** While it works: what it is doing, e.g. "Signing…". The width is kept. */
  readonly busy?: string | undefined
  readonly isDisabled?: boolean
  /** Why it is off; stands beside the button while it is. */
  readonly reason?: string | undefined
  readonly type?: 'button' | 'submit'
  readonly form?: string
  readonly autoFocus?: boolean
  readonly 'aria-label'?: string
  readonly 'aria-describedby'?: string
  readonly 'aria-expanded'?: boolean
  readonly className?: string
  readonly onPress?: (event: PressEvent) => void
  readonly children: ReactNode
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
        <span className="ui-button-label">{children}</span>
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
  /** Its name for assistive technology and its tooltip. */
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

/** An action that reads as part of a sentence or stands at the end of a row. */
export function LinkButton({ icon: Icon, children, ...rest }: LinkButtonProps) {
  return (
    <AriaButton {...rest} className="ui-link-button">
      {Icon && <Icon aria-hidden />}
      {children}
    </AriaButton>
  )
}

/** The one thing beside the recording level that may turn. */
export function BusyRing() {
  return <span className="ui-busy-ring" aria-hidden />
}
