import type { OutboxStatus } from '#contract/bridge/library.ts'
import { messages } from './messages.ts'
import { countToDo, phaseSentence } from './sync.ts'

export const {
  app: appStrings,
  search: searchStrings,
  updates: updateStrings,
  fields: fieldStrings,
  recoveryCode: recoveryCodeStrings,
} = messages

export const shortcutGroups = Object.values(messages.shortcuts).map((group) => ({
  title: group.title,
  lines: Object.entries(group.keys).map(([keys, does]) => ({ keys, does })),
}))

export const unreadReport = (isLosing: boolean) => ({
  strong: messages.saved.unread({ isLosing }),
  rest: messages.saved.readFirst,
})

/** @param until formatted time at which sending resumes; null if there is no such time */
export function savedSentence(status: OutboxStatus | undefined, until: string | null = null) {
  const { strong, toDo, working } = messages.saved
  if (status === undefined) return { strong, rest: '' }
  const count = countToDo(status)
  if (count > 0) return { strong, rest: toDo({ count }) }
  return { strong, rest: status.service === 'remote' ? phaseSentence(status, until) : working({ count: status.waiting }) }
}
