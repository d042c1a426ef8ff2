import type { LucideIcon } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import * as Aria from 'react-aria-components'
import './menu.css'

interface MenuEntry {
  readonly id: string
  readonly label: string
  readonly detail?: string
  readonly icon?: LucideIcon
  readonly shortcut?: string
  readonly isErasing?: boolean
  readonly isDisabled?: boolean
  readonly startsGroup?: boolean
  readonly onAction: () => void
}

interface MenuProps extends Pick<Aria.MenuTriggerProps, 'isOpen' | 'onOpenChange'> {
  readonly label: string
  readonly header?: ReactNode
  readonly placement?: Aria.PopoverProps['placement']
  readonly trigger: ReactElement
  readonly entries: readonly MenuEntry[]
}

export function Menu({ label, header, placement = 'bottom end', trigger, entries, ...rest }: MenuProps) {
  return (
    <Aria.MenuTrigger {...rest}>
      {trigger}
      <Aria.Popover className="ui-popover" placement={placement} offset={4}>
        {header !== undefined && <div className="ui-menu-header">{header}</div>}
        <Aria.Menu aria-label={label} className="ui-menu">
          {entries.flatMap((entry) => [
            ...(entry.startsGroup ? [<Aria.Separator key={`${entry.id}-line`} className="ui-menu-line" />] : []),
            <Aria.MenuItem
              key={entry.id}
              id={entry.id}
              textValue={entry.label}
              isDisabled={entry.isDisabled ?? false}
              onAction={entry.onAction}
              className={entry.isErasing ? 'ui-menu-item ui-menu-item-erasing' : 'ui-menu-item'}
            >
              {entry.icon && <entry.icon aria-hidden />}
              <span className="ui-menu-text">
                <Aria.Text slot="label">{entry.label}</Aria.Text>
                {entry.detail !== undefined && (
                  <Aria.Text slot="description" className="ui-list-box-detail">
                    {entry.detail}
                  </Aria.Text>
                )}
              </span>
              {entry.shortcut !== undefined && <kbd aria-hidden data-key={entry.shortcut} />}
            </Aria.MenuItem>,
          ])}
        </Aria.Menu>
      </Aria.Popover>
    </Aria.MenuTrigger>
  )
}
