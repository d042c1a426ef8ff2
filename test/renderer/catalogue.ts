import type { IntlMessageFormat } from 'intl-messageformat'

interface Message {
  readonly path: string
  readonly text: string
  readonly examples: Readonly<Record<string, unknown>> | undefined
}

export function messagesOf(tree: Record<string, unknown>, path = ''): Message[] {
  return Object.entries(tree).flatMap(([key, value]) => {
    const here = `${path}.${key}`
    if (key.startsWith('@')) return []
    if (typeof value !== 'string') return messagesOf(value as Record<string, unknown>, here)
    return [{ path: here, text: value, examples: tree[`@${key}`] as Message['examples'] }]
  })
}

type Parsed = ReturnType<IntlMessageFormat['getAst']>
const LITERAL = 0

export function argumentsIn(parsed: Parsed): string[] {
  return parsed.flatMap((element) => {
    if (element.type === LITERAL || !('value' in element)) return []
    if (!('options' in element)) return [element.value]
    return [element.value, ...Object.values(element.options).flatMap(({ value }) => argumentsIn(value))]
  })
}
