import { CircleAlert, Check, ChevronDown, Eye, EyeOff } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import {
  Button as AriaButton,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  Text,
  TextArea,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components'
import { fieldStrings } from '../strings/app.ts'
import './field.css'

interface FieldProps {
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly help?: ReactNode
  /** Says how to fix the value. Set it on blur or submit, not while the user types. */
  readonly error?: string | undefined
  readonly placeholder?: string
  readonly autoFocus?: boolean
  readonly className?: string
}

interface TextFieldProps extends FieldProps, Pick<AriaTextFieldProps, 'onBlur' | 'onKeyDown' | 'maxLength'> {
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
    <AriaTextField
      {...rest}
      type={inputType === 'number' ? 'text' : inputType}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={`ui-field ui-field-${size} ${className ?? ''}`}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : 'ui-field-label'}>{label}</Label>
      {isMultiline ? (
        <TextArea
          autoComplete="off"
          className="ui-field-input ui-field-area"
          rows={rows}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
      ) : (
        <span className="ui-field-box">
          <Input
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
    </AriaTextField>
  )
}

function ShowPassphrase({ isShown, onChange }: { readonly isShown: boolean; readonly onChange: (isShown: boolean) => void }) {
  return (
    <AriaButton
      className="ui-field-eye"
      aria-label={isShown ? fieldStrings.hidePassphrase : fieldStrings.showPassphrase}
      onPress={() => onChange(!isShown)}
    >
      {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
    </AriaButton>
  )
}

function FieldHelp({ help, error }: { readonly help: ReactNode; readonly error: string | undefined }) {
  return (
    <>
      {error === undefined && help !== undefined && help !== null && (
        <Text slot="description" className="ui-field-help">
          {help}
        </Text>
      )}
      <FieldError className="ui-field-error">
        <CircleAlert aria-hidden />
        <span>{error}</span>
      </FieldError>
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
    <Select
      {...rest}
      autoComplete="off"
      value={value}
      onChange={(key) => {
        const chosen = options.find((option) => option.value === key)
        if (chosen) onChange(chosen.value)
      }}
      isInvalid={error !== undefined}
      placeholder={placeholder ?? fieldStrings.choose}
      className={`ui-field ${className ?? ''}`}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : 'ui-field-label'}>{label}</Label>
      <AriaButton className="ui-field-input ui-select-button">
        <SelectValue className="ui-select-value">
          {({ selectedText, defaultChildren }) => selectedText || defaultChildren}
        </SelectValue>
        <ChevronDown aria-hidden />
      </AriaButton>
      <FieldHelp help={help} error={error} />
      <Popover className="ui-popover ui-select-popover" offset={4}>
        <ListBox className="ui-list-box" items={options.map((option) => ({ ...option, id: option.value }))}>
          {(option) => (
            <ListBoxItem id={option.value} textValue={option.label} className="ui-list-box-item">
              {({ isSelected }) => (
                <>
                  <span className="ui-list-box-check">{isSelected && <Check aria-hidden />}</span>
                  <span>
                    <Text slot="label">{option.label}</Text>
                    {option.detail !== undefined && (
                      <Text slot="description" className="ui-list-box-detail">
                        {option.detail}
                      </Text>
                    )}
                  </span>
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  )
}
