import { type Formatters, IntlMessageFormat } from 'intl-messageformat'
import { language, locale, type Language } from './locale.ts'
import { joined, listOfNames } from './lists.ts'

type English = typeof import('./en-US.json')
type Spanish = typeof import('./es-US.json')

/** A chunk each, of which the window loads one. As each has the other's type, both have the same keys and arguments. */
const catalogs: { readonly en: () => Promise<{ default: Spanish }>; readonly es: () => Promise<{ default: English }> } = {
  en: () => import('./en-US.json'),
  es: () => import('./es-US.json'),
}

const { default: source } = await catalogs[language]()

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

/** Numbers are written in the current locale, plural forms follow the message's language. */
const formattersOf = (of: Language): Formatters => ({
  getNumberFormat: (_, options) => new Intl.NumberFormat(locale(), options),
  getDateTimeFormat: (_, options) => new Intl.DateTimeFormat(locale(), options),
  getPluralRules: (_, options) => new Intl.PluralRules(of, options),
})

type Examples = Readonly<Record<string, unknown>>

/** Lets `{count}` be formatted, which ICU would only do for `{count, number}`. */
const withNumbers = (text: string, examples: Examples): string =>
  text.replaceAll(/\{(\w+)\}/g, (plain, name: string) =>
    [examples[name]].flat().some((example) => typeof example === 'number') ? `{${name}, number}` : plain,
  )

/** Parsed at the first use, because parsing all messages would delay the first screen. */
function message(text: string, examples: Examples, of: Language): (values: Readonly<Record<string, Value>>) => string {
  let format: IntlMessageFormat | undefined
  return (values) => {
    const formatters = formattersOf(of)
    format ??= new IntlMessageFormat(withNumbers(text, examples), of, undefined, { ignoreTag: true, formatters })
    const written = String(format.format(Object.assign({}, ...Object.entries(values).map(derived))))
    // Spanish times end with a period ("2:02 p.m."), and so do sentences.
    return written.replaceAll(/(?<=[ap]\.\s?m\.)\.(?!\.)/g, '')
  }
}

function build<Source extends object>(tree: Source, of: Language): Messages<Source> {
  const texts = Object.entries(tree as Readonly<Record<string, string | object>>).filter(([key]) => !key.startsWith('@'))
  const examplesOf = tree as Readonly<Record<string, Examples | undefined>>
  const built = texts.map(([key, value]) => {
    if (typeof value === 'object') return [key, build(value, of)]
    const examples = examplesOf[`@${key}`]
    return [key, examples === undefined ? value : message(value, examples, of)]
  })
  return Object.fromEntries(built) as Messages<Source>
}

export const messages = build<English>(source, language)

/** For what a client hears or reads. */
export const messagesIn = async (of: Language): Promise<typeof messages> =>
  of === language ? messages : build<English>((await catalogs[of]()).default, of)
