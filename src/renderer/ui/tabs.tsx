import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components'
import './tabs.css'

export interface TabItem<Id extends string = string> {
  readonly id: Id
  readonly label: ReactNode
  readonly content: ReactNode
  readonly isDisabled?: boolean
}

export interface TabsProps<Id extends string> {
  readonly label: string
  readonly items: readonly TabItem<Id>[]
  readonly selected: Id
  readonly onSelect: (id: Id) => void
  readonly className?: string
}

export function Tabs<Id extends string>({ label, items, selected, onSelect, className }: TabsProps<Id>) {
  return (
    <AriaTabs
      className={`ui-tabs ${className ?? ''}`}
      selectedKey={selected}
      onSelectionChange={(key) => {
        const chosen = items.find((item) => item.id === key)
        if (chosen) onSelect(chosen.id)
      }}
    >
      <TabList aria-label={label} className="ui-tab-list">
        {items.map((item) => (
          <Tab key={item.id} id={item.id} isDisabled={item.isDisabled ?? false} className="ui-tab">
            {item.label}
          </Tab>
        ))}
      </TabList>
      {items.map((item) => (
        <TabPanel key={item.id} id={item.id} className="ui-tab-panel">
          {item.content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
