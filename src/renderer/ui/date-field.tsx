import { parseDate, parseTime, type Time } from '@internationalized/date'
import type { KeyboardEventHandler } from 'react'
import * as Aria from 'react-aria-components'
import { FieldHelp, type FieldProps } from './field.tsx'

interface PartFieldProps extends Pick<FieldProps, 'label' | 'isLabelHidden' | 'error'> {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The value is `YYYY-MM-DD`, or empty. */
export function DateField({ value, onChange, ...parts }: PartFieldProps) {
  return (
    <Aria.DateField
      className="ui-field"
      value={readOrNull(parseDate, value)}
      onChange={(date: Aria.DateValue | null) => onChange(date === null ? '' : date.toString())}
      isInvalid={Boolean(parts.error)}
      validationBehavior="aria"
    >
      <Parts {...parts} />
    </Aria.DateField>
  )
}

/** The value is `HH:MM` with 24 hours, or empty. */
export function TimeField({ value, onChange, onKeyDown, ...parts }: PartFieldProps & { onKeyDown?: KeyboardEventHandler }) {
  return (
    <div className="ui-field-keys" onKeyDown={onKeyDown}>
      <Aria.TimeField
        className="ui-field"
        value={readOrNull(parseTime, value)}
        onChange={(time: Time | null) => onChange(time === null ? '' : time.toString().slice(0, 5))}
        isInvalid={Boolean(parts.error)}
        validationBehavior="aria"
      >
        <Parts {...parts} />
      </Aria.TimeField>
    </div>
  )
}

function Parts({ label, isLabelHidden, error }: Omit<PartFieldProps, 'value' | 'onChange'>) {
  return (
    <>
      <Aria.Label className={isLabelHidden ? 'visually-hidden' : 'ui-field-label'}>{label}</Aria.Label>
      <Aria.DateInput className="ui-field-input ui-date-input">
        {(segment) => <Aria.DateSegment segment={segment} className="ui-date-part" />}
      </Aria.DateInput>
      <FieldHelp help={undefined} error={error} />
    </>
  )
}

function readOrNull<Value>(parse: (value: string) => Value, value: string): Value | null {
  try {
    return parse(value)
  } catch {
    return null
  }
}
