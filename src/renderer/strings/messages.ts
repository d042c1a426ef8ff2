import { IntlMessageFormat } from 'intl-messageformat'
import { joined, listOfNames } from './lists.ts'
import source from './en-US.json' with { type: 'json' }

const locale = 'en-US'

/** The example of an argument in `@key` is also its type: `[value, null]` may be null, any other array is a list. */
type Argument<Example> = Example extends readonly (infer Item)[] ? (null extends Item ? Item : readonly Item[]) : Example

type Messages<Source> = {
  readonly [Key in keyof Source as Key extends `@${string}` ? never : Key]: Source[Key] extends string
    ? Source extends { readonly [_ in `@${Key & string}`]: infer Examples }
      ? (values: { readonly [Name in keyof Examples]: Argument<Examples[Name]> }) => string
      : string
    : Messages<Source[Key]>
}

type Value = string | number | boolean | null | readonly string[]

/** Adds values that a message can use, for example `has_name`, `count_names` and `spelled_count`. */
const derived = ([name, value]: [string, Value]): Record<string, string | number | boolean | null> =>
  typeof value === 'object' && value !== null
    ? { [name]: listOfNames(value), [`joined_${name}`]: joined(value), [`count_${name}`]: value.length }
    : { [name]: value, [`has_${name}`]: value !== null && value !== '', [`spelled_${name}`]: spelled(String(value)) }

const spelled = (digits: string): string => (source.numbers as Readonly<Record<string, string>>)[digits] ?? digits

/** Parsed at the first use, because parsing all messages would delay the first screen. */
function message(text: string): (values: Readonly<Record<string, Value>>) => string {
  let format: IntlMessageFormat | undefined
  return (values) => {
    format ??= new IntlMessageFormat(text, locale, undefined, { ignoreTag: true })
    return String(format.format(Object.assign({}, ...Object.entries(values).map(derived))))
  }
}

function build<Source extends object>(tree: Source): Messages<Source> {
  const texts = Object.entries(tree as Readonly<Record<string, string | object>>).filter(([key]) => !key.startsWith('@'))
  const built = texts.map(([key, value]) => {
    if (typeof value === 'object') return [key, build(value)]
    return [key, `@${key}` in tree ? message(value) : value]
  })
  return Object.fromEntries(built) as Messages<Source>
}

export const messages = build(source)
