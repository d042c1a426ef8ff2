import type { LucideIcon } from 'lucide-react'
import type { ReactElement } from 'react'
import { Keyboard, Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator, Text } from 'react-aria-components'
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

interface MenuProps {
  readonly label: string
  readonly trigger: ReactElement
  readonly entries: readonly MenuEntry[]
}

export function Menu({ label, trigger, entries }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="ui-popover" placement="bottom end" offset={4}>
        <AriaMenu aria-label={label} className="ui-menu">
          {entries.flatMap((entry) => [
            ...(entry.startsGroup ? [<Separator key={`${entry.id}-line`} className="ui-menu-line" />] : []),
            <MenuItem
              key={entry.id}
              id={entry.id}
              textValue={entry.label}
              isDisabled={entry.isDisabled ?? false}
              onAction={entry.onAction}
              className={entry.isErasing ? 'ui-menu-item ui-menu-item-erasing' : 'ui-menu-item'}
            >
              {entry.icon && <entry.icon aria-hidden />}
              <span className="ui-menu-text">
                <Text slot="label">{entry.label}</Text>
                {entry.detail !== undefined && (
                  <Text slot="description" className="ui-list-box-detail">
                    {entry.detail}
                  </Text>
                )}
              </span>
              {entry.shortcut !== undefined && <Keyboard>{entry.shortcut}</Keyboard>}
            </MenuItem>,
          ])}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
