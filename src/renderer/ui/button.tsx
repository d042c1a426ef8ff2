import type { LucideIcon } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, Tooltip, TooltipTrigger, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import './button.css'

interface CommonProps extends Pick<AriaButtonProps, 'isDisabled' | 'autoFocus' | 'onPress' | 'aria-describedby'> {
  readonly size?: 'row' | 'normal' | 'large'
  /** A key hint, for example "P". The page handles the key. */
  readonly shortcut?: string | undefined
  readonly className?: string
}

interface ButtonProps
  extends CommonProps, Pick<AriaButtonProps, 'type' | 'form' | 'aria-label' | 'aria-expanded' | 'excludeFromTabOrder'> {
  readonly ref?: Ref<HTMLButtonElement>
  readonly variant?: 'filled' | 'outlined' | 'quiet' | 'erasing'
  readonly icon?: LucideIcon
  readonly busy?: string | false | undefined
  readonly reason?: string | undefined
  readonly label?: string
  readonly children?: ReactNode
}

export function Button(props: ButtonProps) {
  const { variant = 'outlined', size = 'normal', icon: Icon, shortcut, busy, reason, className, label, children, ...rest } = props
  const button = (
    <AriaButton
      {...rest}
      className={`ui-button ui-button-${variant} ui-button-${size} ${className ?? ''}`}
      isPending={Boolean(busy)}
      {...(shortcut === undefined ? {} : { 'aria-keyshortcuts': shortcut })}
    >
      <span className={busy ? 'ui-button-face ui-button-face-waiting' : 'ui-button-face'}>
        {Icon && <Icon aria-hidden />}
        <span className="ui-button-label">{label ?? children}</span>
        {shortcut !== undefined && (
          <kbd className="ui-button-key" aria-hidden>
            {shortcut}
          </kbd>
        )}
      </span>
      {busy && (
        <span className="ui-button-busy">
          <BusyRing />
          {busy}
        </span>
      )}
    </AriaButton>
  )
  if (!rest.isDisabled || reason === undefined) return button
  return (
    <span className="ui-button-with-reason">
      {button}
      <span className="caption">{reason}</span>
    </span>
  )
}

export interface IconButtonProps extends CommonProps {
  readonly label: string
  readonly icon: LucideIcon
  readonly variant?: 'quiet' | 'outlined' | 'filled'
  readonly isPressed?: boolean
}

export function IconButton(props: IconButtonProps) {
  const { label, icon: Icon, shortcut, size = 'normal', variant = 'quiet', isPressed, className, ...rest } = props
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      <AriaButton
        {...rest}
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

interface LinkButtonProps {
  readonly icon?: LucideIcon
  readonly onPress: () => void
  readonly label?: string
  readonly children?: ReactNode
}

export function LinkButton({ icon: Icon, label, children, ...rest }: LinkButtonProps) {
  return (
    <AriaButton {...rest} className="ui-link-button">
      {Icon && <Icon aria-hidden />}
      {label ?? children}
    </AriaButton>
  )
}

export function BusyRing() {
  return <span className="ui-busy-ring" aria-hidden />
}
