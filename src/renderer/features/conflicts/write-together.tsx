import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { conflictStrings, togetherStrings as words } from '#renderer/strings/conflicts.ts'
import { Button } from '#renderer/ui/button.tsx'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import type { Row, Together, TogetherSection } from './together.ts'
import { addRow, changeRow, isAgreed, isTyped, startedFrom, startFrom } from './together.ts'
import './write-together.css'

type WriteTogetherProps = Readonly<{ together: Together; onChange: (together: Together) => void }>

export function WriteTogether({ together, onChange }: WriteTogetherProps) {
  const agreed = together.sections.filter(isAgreed).length
  return (
    <section className="together" aria-label={words.title}>
      <div className="together-start">
        <RadioGroup
          label={words.startFrom}
          look="row"
          value={startedFrom(together)}
          onChange={(side) => onChange(startFrom(together, side))}
          options={[
            { value: 'mine', label: conflictStrings.mine },
            { value: 'theirs', label: conflictStrings.theirs },
          ]}
        />
        <p className="caption">{words.help}</p>
      </div>
      {together.sections
        .filter((section) => !isAgreed(section))
        .map((section) => (
          <SectionRows key={section.key} section={section} together={together} onChange={onChange} />
        ))}
      {agreed > 0 && <p className="caption">{words.agreed({ count: agreed })}</p>}
    </section>
  )
}

function SectionRows({ section, together, onChange }: WriteTogetherProps & { readonly section: TogetherSection }) {
  const { key, title, rows } = section
  const [added, setAdded] = useState<string | null>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const change = (row: Row, to: RowChange): void => {
    const next = changeRow(together, row.key, to)
    onChange(next)
    if (next.sections.every((one) => one.rows.every((other) => other.key !== row.key))) addButton.current?.focus()
  }
  const addTo = words.addTo({ section: title })
  const add = (): void => {
    const row = `own:${crypto.randomUUID()}`
    setAdded(row)
    onChange(addRow(together, key, row))
  }
  return (
    <div className="together-section">
      <h2 className="ui-section-head">{title}</h2>
      <ul className="together-rows" aria-label={words.sentences({ section: title })}>
        {rows.map((row, index) => (
          <SentenceRow
            key={row.key}
            row={row}
            label={words.sentence({ number: index + 1, section: title, source: sourceOf(row) })}
            isNew={row.key === added}
            onChange={(to) => change(row, to)}
          />
        ))}
      </ul>
      <Button size="row" variant="quiet" icon={Plus} aria-label={addTo} onPress={add} ref={addButton} label={words.add} />
    </div>
  )
}

type RowChange = Partial<Pick<Row, 'text' | 'isIn'>>

const sourceOf = (row: Row): string => words.sources[isTyped(row) ? 'own' : row.source]

type SentenceRowProps = Readonly<{ row: Row; label: string; isNew: boolean; onChange: (change: RowChange) => void }>

function SentenceRow({ row, label, isNew, onChange }: SentenceRowProps) {
  const { isIn, text } = row
  const doing = isIn ? words.leaveOut : words.take
  return (
    <li className="together-row" data-out={!isIn || undefined}>
      {isIn ? (
        <TextField
          label={label}
          isLabelHidden
          isMultiline
          rows={1}
          autoFocus={isNew && text === ''}
          value={text}
          onChange={(typed) => onChange({ text: typed })}
        />
      ) : (
        <p className="together-left">{text}</p>
      )}
      <span className="together-end">
        <span className="caption">{sourceOf(row)}</span>
        <Button
          size="row"
          variant={isIn ? 'quiet' : 'outlined'}
          aria-label={words.of(doing, text)}
          onPress={() => onChange({ isIn: !isIn })}
          label={doing}
        />
      </span>
    </li>
  )
}
