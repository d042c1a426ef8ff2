import { useState } from 'react'
import type { Conflict, ConflictChoice, ConflictSide } from '#contract/bridge/conflicts.ts'
import { useName } from '#renderer/lib/names.ts'
import { startOf } from '#renderer/sessions/appointment-times.tsx'
import { bookingStrings, conflictStrings, erasedStrings, fieldTitle } from '#renderer/strings/conflicts.ts'
import { capitalized } from '#renderer/lib/text.ts'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { Pairs, Section } from '#renderer/ui/page.tsx'
import { formatDayTime } from '#renderer/strings/time.ts'
import type { Note } from '#contract/model/note.ts'
import { queryClient } from '#renderer/bridge/query-client.ts'
import { type Choice, TwoSides, differingParts, valueWords } from './two-sides.tsx'
import { carriedOver, startTogether, type Together } from './together.ts'

type OfNote = Extract<Conflict, { kind: 'document'; record: 'note' }>

const isDraft = ({ signature, status }: Note): boolean => signature === null || status === 'returned'

export function mayWriteTogether(conflict: Conflict): conflict is OfNote {
  if (conflict.kind !== 'document' || conflict.record !== 'note' || conflict.decided_at !== null) return false
  return conflict.choices.length === 2 && isDraft(conflict.mine) && isDraft(conflict.theirs)
}

const written = 'written-together'
/** Text that the user merged and has not saved exists only in this cache, so it must not be garbage-collected. */
queryClient.setQueryDefaults([written], { gcTime: Infinity })

export function useTogether(conflict: Conflict) {
  const queryKey = [written, conflict.id]
  const [kept, setKept] = useState(() => queryClient.getQueryData<Together>(queryKey))
  if (!mayWriteTogether(conflict)) return null
  const fresh = startTogether(conflict.mine, conflict.theirs)
  return {
    together: kept === undefined ? fresh : carriedOver(kept, fresh),
    set(together: Together): void {
      setKept(together)
      queryClient.setQueryData<Together>(queryKey, together)
    },
    forget: () => queryClient.removeQueries({ queryKey }),
  }
}

export interface Ask<Kind extends Conflict['kind'] = Conflict['kind']> {
  readonly conflict: Extract<Conflict, { kind: Kind }>
  readonly now: Date
  readonly who: string | null
  readonly chosen: Chosen
  readonly onChoose: (chosen: Chosen) => void
}

export type Chosen = Readonly<Record<string, string>>
const whole = 'whole'
type Written = Omit<Extract<ConflictChoice, { kind: 'together' }>, 'kind'>

export function onlyChoice(conflict: Conflict): Chosen | null {
  if (conflict.kind !== 'document' || conflict.choices.length !== 1) return null
  return { [whole]: conflict.choices[0]! }
}

export const wholeOf = (chosen: Chosen): string | null => chosen[whole] ?? null
export const sideOf = (chosen: Chosen): Choice | null => wholeOf(chosen) as Choice | null
export const isTogether = (chosen: Chosen): boolean => sideOf(chosen) === 'together'

export function choiceOf(conflict: Conflict, chosen: Chosen, written: Written | null): ConflictChoice | null {
  if (conflict.kind === 'fields') {
    const sides = Object.fromEntries(conflict.fields.map(({ name }) => [name, chosen[name] as ConflictSide]))
    return Object.values(sides).every(Boolean) ? { kind: 'fields', sides } : null
  }
  const answer = chosen[whole]
  if (answer === undefined) return null
  if (answer === 'together') return written === null ? null : { kind: 'together', ...written }
  if (conflict.kind === 'document') return { kind: 'document', side: answer as ConflictSide }
  if (conflict.kind === 'erased') return { kind: 'erased', do: answer as 'keep' | 'erase' }
  if (answer === again) return { kind: 'booking', starts_at: conflict.session.starts_at }
  const proposal = conflict.proposals.find(({ id }) => id === answer)
  return { kind: 'booking', starts_at: proposal === undefined ? null : startOf(proposal) }
}

export function FieldQuestions({ conflict, now, who, chosen, onChoose }: Ask<'fields'>) {
  const nameOf = useName()
  return (
    <>
      {conflict.fields.map(({ name, mine, theirs }) => (
        <TwoSides
          key={name}
          label={fieldTitle(name)}
          parts={[onePart(name, valueWords(name, mine, nameOf), valueWords(name, theirs, nameOf))]}
          mineWhen={conflictStrings.youAt({ when: formatDayTime(conflict.mine_at, now) })}
          theirsWhen={conflictStrings.byAt({ who, when: formatDayTime(conflict.theirs_at, now) })}
          choices={['mine', 'theirs']}
          isDecided={conflict.decided_at !== null}
          value={(chosen[name] as ConflictSide | undefined) ?? null}
          onChange={(side) => onChoose({ ...chosen, [name]: side })}
        />
      ))}
      {conflict.combined.length > 0 && (
        <Section title={conflictStrings.combined}>
          <Pairs
            className="conflict-combined"
            items={conflict.combined.map(({ name, value, changed }) => [
              fieldTitle(name),
              conflictStrings.kept(valueWords(name, value, nameOf), changed),
            ])}
          />
        </Section>
      )}
    </>
  )
}

const onePart = (key: string, mine: string, theirs: string) => ({ key, title: null, mine, theirs, isSpoken: false })

export function DocumentQuestion({ conflict, now, who, chosen, onChoose }: Ask<'document'>) {
  const nameOf = useName()
  const { parts, rest } = differingParts(conflict, nameOf)
  const { noDifference } = conflictStrings
  const stateOf = (which: ConflictSide): string => {
    const document = conflict[which]
    const when = formatDayTime(document.updated_at, now)
    const signature = 'signature' in document ? document.signature : null
    if (signature !== null) return `${conflictStrings.signed({ by: signature.by })}, ${when}`
    return which === 'mine' ? conflictStrings.youAt({ when }) : conflictStrings.byAt({ who, when })
  }
  return (
    <>
      <TwoSides
        label={conflictStrings.sides({ what: conflict.record })}
        isLabelHidden
        parts={parts.length === 0 ? [onePart('same', noDifference, noDifference)] : parts}
        mineWhen={stateOf('mine')}
        theirsWhen={stateOf('theirs')}
        choices={conflict.choices}
        isDecided={conflict.decided_at !== null || onlyChoice(conflict) !== null}
        value={sideOf(chosen)}
        onChange={(choice) => onChoose({ [whole]: choice })}
        mayWrite={parts.length > 0 && mayWriteTogether(conflict)}
      />
      {rest !== null && !isTogether(chosen) && <p className="caption">{rest}</p>}
    </>
  )
}

export function ErasedQuestion({ conflict, chosen, onChoose }: Ask<'erased'>) {
  return (
    <RadioGroup
      label={erasedStrings.label}
      look="cards"
      value={chosen[whole] ?? null}
      onChange={(what) => onChoose({ [whole]: what })}
      options={[
        { value: 'keep', label: erasedStrings.keep, detail: erasedStrings.keepDetail },
        { value: 'erase', label: erasedStrings.erase, detail: erasedStrings.eraseDetail(conflict) },
      ]}
    />
  )
}

const giveUp = 'give-up'
const again = 'again'

export function BookingQuestion({ conflict, now, chosen, onChoose }: Ask<'booking'>) {
  // Proposals that move other sessions or book a series belong on the calendar, where all affected times are visible.
  const plain = conflict.proposals.filter(({ moves, occurrences }) => moves.length === 0 && occurrences.length === 1)
  return (
    <>
      <p>{bookingStrings.wanted({ when: formatDayTime(conflict.session.starts_at, now) })}</p>
      {conflict.reasons.length > 0 && (
        <ul className="conflict-reasons">
          {conflict.reasons.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      <RadioGroup
        label={bookingStrings.label}
        look="cards"
        value={chosen[whole] ?? null}
        onChange={(what) => onChoose({ [whole]: what })}
        options={[
          ...plain.map((proposal) => ({
            value: proposal.id,
            label: capitalized(formatDayTime(startOf(proposal), now)),
            detail: [...proposal.why, ...proposal.tradeoffs].join(' · '),
          })),
          {
            value: again,
            label: bookingStrings.again({ when: formatDayTime(conflict.session.starts_at, now) }),
            detail: bookingStrings.againDetail,
          },
          { value: giveUp, label: bookingStrings.giveUp, detail: bookingStrings.giveUpDetail },
        ]}
      />
    </>
  )
}
