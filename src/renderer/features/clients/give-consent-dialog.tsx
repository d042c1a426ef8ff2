import { useState } from 'react'
import type { Client } from '#contract/model/client.ts'
import type { Consent, ConsentScope } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import { useName } from '#renderer/lib/names.ts'
import { useSettings, usePlaces } from '#renderer/lib/app-state.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import {
  clientsStrings,
  consentMethodWords,
  roleWords,
  scopeWords,
  consentText,
  consentTextVersion,
  type ConsentPlaces,
} from '#renderer/strings/clients.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox, RadioGroup } from '#renderer/ui/choice.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import '#renderer/ui/form.css'

const words = clientsStrings.consent.dialog
const scopes: readonly ConsentScope[] = ['record', 'transcribe', 'draft', 'analyze', 'retain']
type Role = Participant['role']
const otherRoles = (Object.keys(roleWords) as Role[]).filter((role) => role !== 'client')

interface Answers {
  readonly who: 'client' | 'other'
  readonly name: string
  readonly role: Role
  /** Empty at first: consent must not be preselected. */
  readonly scopes: readonly ConsentScope[]
  readonly method: Consent['method']
}

export function GiveConsentDialog({ client, onClose }: { readonly client: Client; readonly onClose: () => void }) {
  const nameOf = useName()
  const places = usePlaces(useSettings())
  const toast = useToast()
  const give = useAction('consents.give')
  const [answers, setAnswers] = useState<Answers>({ who: 'client', name: '', role: 'partner', scopes: [], method: 'spoken' })
  const [isChecked, setChecked] = useState(false)
  const participant: Participant =
    answers.who === 'client' ? { name: client.display_name, role: 'client' } : { name: answers.name.trim(), role: answers.role }
  const keep = async (): Promise<void> => {
    setChecked(true)
    if (answers.scopes.length === 0 || participant.name === '') return
    const given = await give
      .mutateAsync({
        client_id: client.id,
        participant,
        scopes: [...answers.scopes],
        text_version: consentTextVersion(places),
        method: answers.method,
      })
      .catch(() => null)
    if (given === null) return
    toast({ text: words.done({ name: nameOf(participant.name) }) })
    onClose()
  }
  return (
    <Dialog
      title={words.title({ name: nameOf(client.display_name) })}
      lead={words.lead}
      isOpen
      isDismissable={false}
      onClose={onClose}
      actions={
        <>
          <Button autoFocus onPress={onClose}>
            {words.cancel}
          </Button>
          <Button variant="filled" busy={give.isPending ? words.giving : undefined} onPress={() => void keep()}>
            {words.give}
          </Button>
        </>
      }
    >
      <TextToRead places={places} />
      <ConsentAnswers answers={answers} isChecked={isChecked} onChange={(part) => setAnswers({ ...answers, ...part })} />
      {give.error && <Problem code={give.error.code} />}
    </Dialog>
  )
}

function TextToRead({ places }: { readonly places: ConsentPlaces }) {
  return (
    <figure className="consent-text">
      <figcaption className="caption">{words.read}</figcaption>
      <p>{consentText(places)}</p>
    </figure>
  )
}

interface ConsentAnswersProps {
  readonly answers: Answers
  readonly isChecked: boolean
  readonly onChange: (part: Partial<Answers>) => void
}

function ConsentAnswers({ answers, isChecked, onChange }: ConsentAnswersProps) {
  return (
    <>
      <RadioGroup
        label={words.who}
        look="row"
        value={answers.who}
        onChange={(who) => onChange({ who })}
        options={[
          { value: 'client', label: words.whoClient },
          { value: 'other', label: words.whoOther },
        ]}
      />
      {answers.who === 'other' && <OtherPerson answers={answers} isChecked={isChecked} onChange={onChange} />}
      <fieldset className="consent-scopes">
        <legend className="ui-field-label">{words.agreed}</legend>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            isSelected={answers.scopes.includes(scope)}
            onChange={(isOn) =>
              onChange({ scopes: scopes.filter((other) => (other === scope ? isOn : answers.scopes.includes(other))) })
            }
          >
            {scopeWords[scope]}
          </Checkbox>
        ))}
        {isChecked && answers.scopes.length === 0 && (
          <p className="ui-field-error" role="alert">
            {words.nothing}
          </p>
        )}
      </fieldset>
      <RadioGroup
        label={words.how}
        look="row"
        value={answers.method}
        onChange={(method) => onChange({ method })}
        options={(Object.keys(consentMethodWords) as Consent['method'][]).map((method) => ({
          value: method,
          label: consentMethodWords[method],
        }))}
      />
    </>
  )
}

function OtherPerson({ answers, isChecked, onChange }: ConsentAnswersProps) {
  return (
    <div className="ui-form-pair">
      <TextField
        label={words.otherName}
        value={answers.name}
        maxLength={200}
        onChange={(name) => onChange({ name })}
        error={isChecked && answers.name.trim() === '' ? words.nameMissing : undefined}
      />
      <SelectField
        label={words.otherRole}
        value={answers.role}
        onChange={(role) => onChange({ role })}
        options={otherRoles.map((role) => ({ value: role, label: roleWords[role] }))}
      />
    </div>
  )
}
