import { parseDate, parseTime, type Time } from '@internationalized/date'
import { CircleAlert } from 'lucide-react'
import {
  DateField as AriaDateField,
  DateInput,
  DateSegment,
  FieldError,
  Label,
  TimeField as AriaTimeField,
  type DateValue,
} from 'react-aria-components'
import './field.css'
import './date-field.css'

interface PartFieldProps {
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly error?: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The value is `YYYY-MM-DD`, or empty. */
export function DateField({ value, onChange, ...parts }: PartFieldProps) {
  return (
    <AriaDateField
      className="ui-field"
      value={readOrNull(parseDate, value)}
      onChange={(date: DateValue | null) => onChange(date === null ? '' : date.toString())}
      isInvalid={parts.error !== undefined}
      validationBehavior="aria"
    >
      <Parts {...parts} />
    </AriaDateField>
  )
}

/** The value is `HH:MM` with 24 hours, or empty. */
export function TimeField({ value, onChange, ...parts }: PartFieldProps) {
  return (
    <AriaTimeField
      className="ui-field"
      hourCycle={24}
      shouldForceLeadingZeros
      value={readOrNull(parseTime, value)}
      onChange={(time: Time | null) => onChange(time === null ? '' : time.toString().slice(0, 5))}
      isInvalid={parts.error !== undefined}
      validationBehavior="aria"
    >
      <Parts {...parts} />
    </AriaTimeField>
  )
}

function Parts({ label, isLabelHidden, error }: Omit<PartFieldProps, 'value' | 'onChange'>) {
  return (
    <>
      <Label className={isLabelHidden ? 'visually-hidden' : 'ui-field-label'}>{label}</Label>
      <DateInput className="ui-field-input ui-date-input">
        {(segment) => <DateSegment segment={segment} className="ui-date-part" />}
      </DateInput>
      <FieldError className="ui-field-error">
        <CircleAlert aria-hidden />
        <span>{error}</span>
      </FieldError>
    </>
  )
}

/** An invalid stored value reads as empty. */
function readOrNull<Value>(parse: (value: string) => Value, value: string): Value | null {
  try {
    return parse(value)
  } catch {
    return null
  }
}
