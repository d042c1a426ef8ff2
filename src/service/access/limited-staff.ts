import type { Staff } from '#contract/model/staff.ts'
import type { Call } from './call.ts'

/** Whose clients were shared with somebody is theirs and the owner's to know. */
export function staffShown({ caller, scope }: Pick<Call, 'caller' | 'scope'>, person: Staff): Staff {
  if (scope.limited === null || person.id === caller.person_id) return person
  return { ...person, shared_clients: [], withheld: ['shared_clients'] }
}
