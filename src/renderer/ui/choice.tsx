import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Checkbox as AriaCheckbox,
  Label,
  Radio,
  RadioGroup as AriaRadioGroup,
  Switch as AriaSwitch,
  ToggleButton,
  ToggleButtonGroup,
} from 'react-aria-components'
import './choice.css'

interface ToggleProps {
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
  readonly detail?: ReactNode
  readonly label: ReactNode
}

export function Checkbox({ label, detail, ...rest }: ToggleProps) {
  return (
    <AriaCheckbox {...rest} className="ui-choice ui-checkbox">
      {({ isSelected }) => (
        <>
          <span className="ui-checkbox-box">{isSelected && <Check aria-hidden />}</span>
          <ChoiceText label={label} detail={detail} />
        </>
      )}
    </AriaCheckbox>
  )
}

export function Switch({ label, detail, ...rest }: ToggleProps) {
  return (
    <AriaSwitch {...rest} className="ui-choice ui-switch">
      <ChoiceText label={label} detail={detail} />
      <span className="ui-switch-track" />
    </AriaSwitch>
  )
}

function ChoiceText({ label, detail }: { readonly label: ReactNode; readonly detail: ReactNode }) {
  return (
    <span className="ui-choice-text">
      <span className="ui-choice-label">{label}</span>
      {detail !== undefined && detail !== null && <span className="ui-choice-detail">{detail}</span>}
    </span>
  )
}

export interface RadioOption<Value extends string = string> {
  readonly value: Value
  readonly label: ReactNode
  readonly detail?: ReactNode
  readonly isDisabled?: boolean
}

interface RadioGroupProps<Value extends string> {
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly options: readonly RadioOption<Value>[]
  readonly value: Value | null
  readonly onChange: (value: Value) => void
  readonly look?: 'list' | 'cards' | 'row'
  readonly isDisabled?: boolean
}

export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { label, isLabelHidden, options, value, onChange, look = 'list', ...rest } = props
  return (
    <AriaRadioGroup
      {...rest}
      value={value}
      onChange={(chosen) => {
        const option = options.find((candidate) => candidate.value === chosen)
        if (option) onChange(option.value)
      }}
      className={`ui-radio-group ui-radio-${look}`}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : 'ui-field-label'}>{label}</Label>
      <div className="ui-radio-options">
        {options.map((option) => (
          <Radio key={option.value} value={option.value} isDisabled={option.isDisabled ?? false} className="ui-choice ui-radio">
            <span className="ui-radio-dot" />
            <ChoiceText label={option.label} detail={option.detail} />
          </Radio>
        ))}
      </div>
    </AriaRadioGroup>
  )
}

interface SegmentsProps<Value extends string> {
  readonly label: string
  readonly words: Readonly<Record<Value, string>>
  readonly values: readonly Value[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

export function Segments<Value extends string>({ label, words, values, value, onChange }: SegmentsProps<Value>) {
  return (
    <ToggleButtonGroup
      className="ui-segments"
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = values.find((one) => keys.has(one))
        if (chosen !== undefined) onChange(chosen)
      }}
    >
      {values.map((one) => (
        <ToggleButton key={one} id={one} className="ui-segment">
          {words[one]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
