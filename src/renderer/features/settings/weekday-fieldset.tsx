import { Plus, X } from 'lucide-react'
import { hoursStrings } from '#renderer/strings/working-hours.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { TimeField } from '#renderer/ui/date-field.tsx'
import type { DayFields, StretchFields } from './working-hours-form.ts'

const words = hoursStrings.dialog
const afterLunch: StretchFields = { from: '', to: '' }

interface WeekdayFieldsetProps {
  readonly name: string
  readonly fields: DayFields
  readonly wrong: readonly Partial<StretchFields>[]
  readonly onChange: (fields: DayFields) => void
}

export function WeekdayFieldset({ name, fields, wrong, onChange }: WeekdayFieldsetProps) {
  const { isOn, stretches } = fields
  const change = (next: readonly StretchFields[]): void => onChange({ ...fields, stretches: next })
  return (
    <div className="hours-day" role="group" aria-label={name}>
      <Checkbox isSelected={isOn} onChange={(next) => onChange({ ...fields, isOn: next })}>
        {name}
      </Checkbox>
      {!isOn && <p className="caption hours-day-off">{words.off}</p>}
      {isOn && (
        <div className="hours-stretches">
          {stretches.map((stretch, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two stretches may be equal, and they never change places
            <div key={index} className="hours-stretch">
              <StretchPair
                day={name}
                number={index + 1}
                stretch={stretch}
                wrong={wrong[index] ?? {}}
                onChange={(next) => change(stretches.with(index, next))}
              />
              {index > 0 && (
                <IconButton
                  icon={X}
                  label={words.remove(name, index + 1)}
                  onPress={() => change(stretches.toSpliced(index, 1))}
                />
              )}
              {stretches.length === 1 && (
                <Button
                  variant="quiet"
                  icon={Plus}
                  aria-label={words.addOn(name)}
                  onPress={() => change([...stretches, afterLunch])}
                >
                  {words.add}
                </Button>
              )}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

interface StretchPairProps {
  readonly day: string
  readonly number: number
  readonly stretch: StretchFields
  readonly wrong: Partial<StretchFields>
  readonly onChange: (stretch: StretchFields) => void
}

function StretchPair({ day, number, stretch, wrong, onChange }: StretchPairProps) {
  return (
    <>
      <TimeField
        label={words.from(day, number)}
        isLabelHidden
        value={stretch.from}
        onChange={(from) => onChange({ ...stretch, from })}
        error={wrong.from}
      />
      <span className="hours-until" aria-hidden>
        {words.until}
      </span>
      <TimeField
        label={words.to(day, number)}
        isLabelHidden
        value={stretch.to}
        onChange={(to) => onChange({ ...stretch, to })}
        error={wrong.to}
      />
    </>
  )
}
