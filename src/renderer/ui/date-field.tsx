import { parseDate, parseTime, type CalendarDate, type Time } from '@internationalized/date'
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

/** The value is `YYYY-MM-DD`, or empty. The locale sets the order of the parts. */
export function DateField({ label, isLabelHidden, error, value, onChange }: PartFieldProps) {
  return (
    <AriaDateField
      className="ui-field"
      value={dateOf(value)}
      onChange={(date: DateValue | null) => onChange(date === null ? '' : date.toString())}
      isInvalid={error !== undefined}
      validationBehavior="aria"
    >
      <Label className={isLabelHidden ? 'visually-hidden' : 'ui-field-label'}>{label}</Label>
      <Parts error={error} />
    </AriaDateField>
  )
}

/** The value is `HH:MM` with 24 hours, or empty. */
export function TimeField({ label, isLabelHidden, error, value, onChange }: PartFieldProps) {
  return (
    <AriaTimeField
      className="ui-field"
      hourCycle={24}
      shouldForceLeadingZeros
      value={timeOf(value)}
      onChange={(time: Time | null) => onChange(time === null ? '' : time.toString().slice(0, 5))}
      isInvalid={error !== undefined}
      validationBehavior="aria"
    >
      <Label className={isLabelHidden ? 'visually-hidden' : 'ui-field-label'}>{label}</Label>
      <Parts error={error} />
    </AriaTimeField>
  )
}

function Parts({ error }: { readonly error: string | undefined }) {
  return (
    <>
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

function dateOf(value: string): CalendarDate | null {
  try {
    return value === '' ? null : parseDate(value)
  } catch {
    // An invalid stored value reads as empty.
    return null
  }
}

function timeOf(value: string): Time | null {
  try {
    return value === '' ? null : parseTime(value)
  } catch {
    return null
  }
}
