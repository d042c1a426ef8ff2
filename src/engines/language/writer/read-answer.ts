import type { z } from 'zod'
import { attempt } from '#base/control.ts'

export type Reading<Value> = { readonly value: Value } | { readonly problem: string }

export function readAnswer<Form extends z.ZodType>(form: Form, text: string): Reading<z.output<Form>> {
  const bare = text.replace(/<think>[\s\S]*?(?:<\/think>|$)/gi, ' ')
  const found = objectsIn(bare)
  if (found.length === 0) return { problem: 'there is no complete JSON object in it' }
  let problem = ''
  for (const each of found) {
    const read = form.safeParse(each)
    if (read.success) return { value: read.data }
    problem = read.error.issues
      .slice(0, 5)
      .map((issue) => `/${issue.path.join('/')} ${issue.code}`)
      .join('; ')
  }
  return { problem }
}

function objectsIn(text: string): unknown[] {
  const whole = parsed(text.trim())
  if (whole !== undefined) return [whole]
  const runs: string[] = []
  let depth = 0
  let start = 0
  let isInText = false
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]
    if (isInText) {
      if (letter === '\\') at += 1
      else if (letter === '"') isInText = false
    } else if (letter === '"') isInText = depth > 0
    else if (letter === '{') {
      if (depth === 0) start = at
      depth += 1
    } else if (letter === '}' && depth > 0) {
      depth -= 1
      if (depth === 0) runs.push(text.slice(start, at + 1))
    }
  }
  return runs
    .toSorted((left, right) => right.length - left.length)
    .map(parsed)
    .filter((value) => value !== undefined)
}

function parsed(text: string): unknown {
  const value: unknown = attempt(() => JSON.parse(text))
  return typeof value === 'object' && value !== null ? value : undefined
}

const KEY_REACH = 200

export function sectionCounter(): (piece: string) => number {
  const begun = new Set<string>()
  let tail = ''
  return (piece) => {
    const text = tail + piece
    let end = 0
    for (const match of text.matchAll(/"key"\s*:\s*"([^"]+)"/g)) {
      begun.add(match[1] ?? '')
      end = match.index + match[0].length
    }
    tail = text.slice(Math.max(end, text.length - KEY_REACH))
    return begun.size
  }
}
