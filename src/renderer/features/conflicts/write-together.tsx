import { Plus } from 'lucide-react'
import { conflictStrings, togetherStrings as words } from '#renderer/strings/conflicts.ts'
import { Button } from '#renderer/ui/button.tsx'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { TextField } from '#renderer/ui/field.tsx'
import type { Row, Together, TogetherSection } from './begin-together.ts'
import { addRow, changeRow, isAgreed, isTyped, startedFrom, startFrom } from './together.ts'
import './write-together.css'

interface WriteTogetherProps {
  readonly together: Together
  readonly onChange: (together: Together) => void
}

/** Begins as one version; sentences of the other are taken, left out or put in words of one's own. */
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
      {agreed > 0 && <p className="caption">{words.agreed(agreed)}</p>}
    </section>
  )
}

interface SectionRowsProps extends WriteTogetherProps {
  readonly section: TogetherSection
}

function SectionRows({ section: { key, title, rows }, together, onChange }: SectionRowsProps) {
  const shown = rows.filter(({ isIn, text }) => isIn || text.trim() !== '')
  return (
    <div className="together-section">
      <h2 className="ui-section-head">{title}</h2>
      <ul className="together-rows" aria-label={words.sentences(title)}>
        {shown.map((row, index) => (
          <SentenceRow
            key={row.key}
            row={row}
            label={words.sentence(index + 1, title, words.sources[isTyped(row) ? 'own' : row.source])}
            onChange={(change) => onChange(changeRow(together, row.key, change))}
          />
        ))}
      </ul>
      <Button
        size="row"
        variant="quiet"
        icon={Plus}
        aria-label={words.addTo(title)}
        onPress={() => onChange(addRow(together, key, `own:${crypto.randomUUID()}`))}
      >
        {words.add}
      </Button>
    </div>
  )
}

interface SentenceRowProps {
  readonly row: Row
  readonly label: string
  readonly onChange: (change: Partial<Pick<Row, 'text' | 'isIn'>>) => void
}

function SentenceRow({ row, label, onChange }: SentenceRowProps) {
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
          autoFocus={row.source === 'own' && text === ''}
          value={text}
          onChange={(typed) => onChange({ text: typed })}
        />
      ) : (
        <p className="together-left">{text}</p>
      )}
      <span className="together-end">
        <span className="caption">{words.sources[isTyped(row) ? 'own' : row.source]}</span>
        <Button
          size="row"
          variant={isIn ? 'quiet' : 'outlined'}
          aria-label={words.of(doing, text)}
          onPress={() => onChange({ isIn: !isIn })}
        >
          {doing}
        </Button>
      </span>
    </li>
  )
}
