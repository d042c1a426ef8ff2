import path from 'node:path'
import { expect, test } from 'vitest'
import type { Template } from '#contract/model/template.ts'
import { asText, dialoguesIn, requestOf } from './support/dialogue.ts'
import { drafted } from './support/session.ts'

const dialogues = dialoguesIn(path.join(import.meta.dirname, 'dialogues'))
const others: readonly Template[] = ['dap', 'birp', 'girp', 'intake', 'birp', 'dap', 'girp', 'dap', 'girp', 'birp']

/** Read aloud and mended until each could be signed after small edits; a change here is to be read again. */
test.each(
  dialogues.flatMap((dialogue, at) => [
    [dialogue.id, 'soap' as Template, dialogue] as const,
    [dialogue.id, others[at] ?? 'dap', dialogue] as const,
  ]),
)('%s as %s reads as reviewed', async (id, template, dialogue) => {
  const note = await drafted(requestOf(dialogue, template))
  await expect(asText(note)).toMatchFileSnapshot(path.join(import.meta.dirname, 'drafts', `${id}.${template}.txt`))
})
