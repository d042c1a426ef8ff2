import type { OwnTemplate } from '#contract/model/template.ts'
import { textOf } from './ledger.ts'
import { allOf } from './records.ts'
import type { World } from './world.ts'

/**
 * A form that the service has stands on every laptop whose list it was not taken off; as it is there, or as somebody who
 * saw that left it here: it travels with the next draft.
 */
export async function formsAgree({ practice, laptops, ledger }: World): Promise<string[]> {
  if (practice.sweep === null) return []
  const there = await allOf<OwnTemplate>(practice.owner, 'listTemplates')
  const problems: string[] = []
  for (const { name, call } of laptops) {
    const here = new Map((await call('templates.list', {})).map((form) => [form.id, form]))
    for (const form of there) {
      const mine = here.get(form.id)
      const isRemoved = ledger.removed.has(`${name} ${form.id}`)
      if ((mine === undefined) !== isRemoved) problems.push(`form ${form.id} was ${isRemoved ? '' : 'not '}removed on ${name}`)
      if (mine !== undefined && !ledger.reaches(`template ${form.id} name`, [mine.name], textOf(form.name)))
        problems.push(`form ${form.id} is ${form.name} at the service and ${mine.name} on ${name}, where nobody saw that`)
    }
  }
  return problems
}
