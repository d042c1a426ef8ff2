import { CircleAlert, Check, ChevronDown, Eye, EyeOff } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import * as Aria from 'react-aria-components'
import { fieldStrings } from '../strings/app.ts'
import './field.css'

export interface FieldProps {
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly help?: ReactNode
  /** Says how to fix the value. Set it on blur or submit, not while the user types. */
  readonly error?: string | false | undefined
  readonly placeholder?: string
  readonly autoFocus?: boolean
  readonly className?: string
}

interface TextFieldProps extends FieldProps, Pick<Aria.TextFieldProps, 'onBlur' | 'onKeyDown' | 'maxLength'> {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'text' | 'password' | 'email' | 'tel' | 'url' | 'number'
  readonly isMultiline?: boolean
  readonly rows?: number
  readonly min?: string
  readonly max?: string
  readonly size?: 'normal' | 'large'
}

export function TextField(props: TextFieldProps) {
  const {
    label,
    isLabelHidden,
    help,
    error,
    type = 'text',
    isMultiline,
    rows = 3,
    size = 'normal',
    placeholder,
    min,
    max,
    className,
    ...rest
  } = props
  const [isShown, setShown] = useState(false)
  const inputType = type === 'password' && isShown ? 'text' : type
  return (
    <Aria.TextField
      {...rest}
      type={inputType === 'number' ? 'text' : inputType}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      className={`ui-field ui-field-${size} ${className ?? ''}`}
    >
      <Aria.Label className={isLabelHidden ? 'visually-hidden' : 'ui-field-label'}>{label}</Aria.Label>
      {isMultiline ? (
        <Aria.TextArea
          autoComplete="off"
          className="ui-field-input ui-field-area"
          rows={rows}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
      ) : (
        <span className="ui-field-box">
          <Aria.Input
            autoComplete="off"
            className="ui-field-input"
            type={inputType}
            {...(placeholder === undefined ? {} : { placeholder })}
            {...(min === undefined ? {} : { min })}
            {...(max === undefined ? {} : { max })}
          />
          {type === 'password' && <ShowPassphrase isShown={isShown} onChange={setShown} />}
        </span>
      )}
      <FieldHelp help={help} error={error} />
    </Aria.TextField>
  )
}

function ShowPassphrase({ isShown, onChange }: { readonly isShown: boolean; readonly onChange: (isShown: boolean) => void }) {
  return (
    <Aria.Button
      className="ui-field-eye"
      aria-label={isShown ? fieldStrings.hidePassphrase : fieldStrings.showPassphrase}
      onPress={() => onChange(!isShown)}
    >
      {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
    </Aria.Button>
  )
}

export function FieldHelp({ help, error }: { readonly help: ReactNode; readonly error: FieldProps['error'] }) {
  return (
    <>
      {!error && help !== undefined && help !== null && (
        <Aria.Text slot="description" className="ui-field-help">
          {help}
        </Aria.Text>
      )}
      <Aria.FieldError className="ui-field-error">
        <CircleAlert aria-hidden />
        <span>{error}</span>
      </Aria.FieldError>
    </>
  )
}

export interface SelectOption<Value extends string = string> {
  readonly value: Value
  readonly label: string
  readonly detail?: string
}

interface SelectFieldProps<Value extends string> extends FieldProps {
  readonly options: readonly SelectOption<Value>[]
  readonly value: Value | null
  readonly onChange: (value: Value) => void
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, isLabelHidden, help, error, options, value, onChange, placeholder, className, ...rest } = props
  return (
    <Aria.Select
      {...rest}
      autoComplete="off"
      value={value}
      onChange={(key) => {
        const chosen = options.find((option) => option.value === key)
        if (chosen) onChange(chosen.value)
      }}
      isInvalid={Boolean(error)}
      placeholder={placeholder ?? fieldStrings.choose}
      className={`ui-field ${className ?? ''}`}
    >
      <Aria.Label className={isLabelHidden ? 'visually-hidden' : 'ui-field-label'}>{label}</Aria.Label>
      <Aria.Button className="ui-field-input ui-select-button">
        <Aria.SelectValue className="ui-select-value">
          {({ selectedText, defaultChildren }) => selectedText || defaultChildren}
        </Aria.SelectValue>
        <ChevronDown aria-hidden />
      </Aria.Button>
      <FieldHelp help={help} error={error} />
      <Aria.Popover className="ui-popover ui-select-popover" offset={4}>
        <Aria.ListBox className="ui-list-box" items={options.map((option) => ({ ...option, id: option.value }))}>
          {(option) => (
            <Aria.ListBoxItem id={option.value} textValue={option.label} className="ui-list-box-item">
              {({ isSelected }) => (
                <>
                  <span className="ui-list-box-check">{isSelected && <Check aria-hidden />}</span>
                  <span>
                    <span>{option.label}</span>
                    {option.detail !== undefined && <span className="ui-list-box-detail"> {option.detail}</span>}
                  </span>
                </>
              )}
            </Aria.ListBoxItem>
          )}
        </Aria.ListBox>
      </Aria.Popover>
    </Aria.Select>
  )
}
