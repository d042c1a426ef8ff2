import type { Client } from '#contract/model/client.ts'
import { consentScopeSchema, type Consent, type ConsentScope } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import { useName } from '#renderer/lib/names.ts'
import { useSettings, usePlaces } from '#renderer/lib/app-state.ts'
import { optionsOf } from '#renderer/lib/text.ts'
import { useForm, wrongOf } from '#renderer/lib/use-form.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import {
  clientsStrings,
  consentMethodWords,
  roleWords,
  scopeWords,
  consentText,
  consentTextVersion,
} from '#renderer/strings/clients.ts'
import { Checkbox, RadioGroup } from '#renderer/ui/choice.tsx'
import { ConfirmDialog } from '#renderer/ui/dialog.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import '#renderer/ui/form.css'

const words = clientsStrings.consent.dialog
const scopes = consentScopeSchema.options
const otherRoles = optionsOf(roleWords).filter(({ value }) => value !== 'client')

interface Answers {
  readonly who: 'client' | 'other'
  readonly name: string
  readonly role: Participant['role']
  /** Empty at first: consent must not be preselected. */
  readonly scopes: readonly ConsentScope[]
  readonly method: Consent['method']
}

const noAnswers: Answers = { who: 'client', name: '', role: 'partner', scopes: [], method: 'spoken' }

const checkAnswers = ({ who, name, scopes: agreed }: Answers) =>
  wrongOf({
    name: who === 'other' && name.trim() === '' && words.nameMissing,
    scopes: agreed.length === 0 && words.nothing,
  })

export function GiveConsentDialog({ client, onClose }: { readonly client: Client; readonly onClose: () => void }) {
  const nameOf = useName()
  const places = usePlaces(useSettings())
  const toast = useToast()
  const give = useAction('consents.give')
  const { fields, wrong, set, bind, pick, check } = useForm(noAnswers, checkAnswers)
  const { who, name, role, scopes: agreed, method } = fields
  const participant: Participant = who === 'client' ? { name: client.display_name, role: 'client' } : { name: name.trim(), role }
  const keep = async (): Promise<void> => {
    if (!check()) return
    const consent = { client_id: client.id, participant, scopes: [...agreed], text_version: consentTextVersion(places), method }
    const given = await give.mutateAsync(consent).catch(() => null)
    if (given === null) return
    toast({ text: words.done(nameOf(participant.name)) })
    onClose()
  }
  return (
    <ConfirmDialog
      title={words.title(nameOf(client.display_name))}
      lead={words.lead}
      variant="filled"
      onClose={onClose}
      cancel={words.cancel}
      submit={words.give}
      busy={give.isPending ? words.giving : undefined}
      onConfirm={keep}
    >
      <figure className="consent-text">
        <figcaption className="caption">{words.read}</figcaption>
        <p>{consentText(places)}</p>
      </figure>
      <RadioGroup
        {...pick('who')}
        label={words.who}
        look="row"
        options={[
          { value: 'client', label: words.whoClient },
          { value: 'other', label: words.whoOther },
        ]}
      />
      {who === 'other' && (
        <div className="ui-form-pair">
          <TextField {...bind('name')} label={words.otherName} maxLength={200} />
          <SelectField {...pick('role')} label={words.otherRole} options={otherRoles} />
        </div>
      )}
      <Scopes agreed={agreed} error={wrong.scopes} onChange={(next) => set({ scopes: next })} />
      <RadioGroup {...pick('method')} label={words.how} look="row" options={optionsOf(consentMethodWords)} />
      {give.error && <Problem code={give.error.code} />}
    </ConfirmDialog>
  )
}

interface ScopesProps {
  readonly agreed: readonly ConsentScope[]
  readonly error: string | undefined
  readonly onChange: (agreed: readonly ConsentScope[]) => void
}

function Scopes({ agreed, error, onChange }: ScopesProps) {
  const toggle = (scope: ConsentScope, isOn: boolean): void =>
    onChange(scopes.filter((other) => (other === scope ? isOn : agreed.includes(other))))
  return (
    <fieldset className="consent-scopes">
      <legend className="ui-field-label">{words.agreed}</legend>
      {scopes.map((scope) => (
        <Checkbox key={scope} isSelected={agreed.includes(scope)} onChange={(isOn) => toggle(scope, isOn)}>
          {scopeWords[scope]}
        </Checkbox>
      ))}
      {error !== undefined && (
        <p className="ui-field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
