import type { z } from 'zod'

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: '`true` or `false`',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const formats: Readonly<Record<string, string>> = {
  datetime: 'a time in UTC that ends in Z, for example `2026-11-24T15:00:00Z`',
  date: 'a date, for example `2026-11-24`',
  uuid: 'a UUID',
  email: 'an email address',
  url: 'an absolute URL',
  base64: 'base64',
}

/** What a field must be, in plain words and without its value. A message of the schema itself comes first. */
export const fieldMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'This field is required.'
  switch (issue.code) {
    case 'invalid_type':
      return `Must be ${kindOf(issue)}${issue.input === null ? ', not null' : ''}.`
    case 'invalid_value':
      return issue.values.length === 1 ? `Must be ${listed(issue.values)}.` : `Must be one of ${listed(issue.values)}.`
    case 'invalid_format':
      return formats[issue.format] === undefined
        ? 'Must have the form the schema describes.'
        : `Must be ${formats[issue.format]}.`
    case 'too_small':
      return tooSmall(issue.origin, issue.minimum)
    case 'too_big':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `Must be ${issue.maximum} or less.`
        : `Must have at most ${counted(issue.origin, issue.maximum)}.`
    case 'invalid_union':
      return 'Must have one of the forms the schema describes.'
    default:
      return 'Must be as the schema describes.'
  }
}

/** A number with a fraction where a whole one is needed is also a missing kind. */
function kindOf(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const definition = issue.inst?._zod.def as { readonly format?: string } | undefined
  const isWhole = issue.expected === 'number' && definition?.format === 'safeint'
  return kinds[isWhole ? 'int' : issue.expected] ?? 'of another kind'
}

function tooSmall(origin: string, minimum: number | bigint): string {
  if (origin === 'number' || origin === 'int') return `Must be ${minimum} or more.`
  return Number(minimum) === 1 ? 'Must not be empty.' : `Must have at least ${counted(origin, minimum)}.`
}

const counted = (origin: string, count: number | bigint): string =>
  `${count} ${origin === 'string' ? 'character' : 'entr'}${ending(origin, Number(count))}`

function ending(origin: string, count: number): string {
  if (origin === 'string') return count === 1 ? '' : 's'
  return count === 1 ? 'y' : 'ies'
}

const listed = (values: readonly z.core.util.Primitive[]): string => values.map((value) => `\`${String(value)}\``).join(', ')
