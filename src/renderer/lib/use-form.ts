import { useState, type FormEvent } from 'react'

export type Wrong<Fields> = { readonly [Name in keyof Fields]?: string }
export type Form<Fields extends object> = ReturnType<typeof useForm<Fields>>

export const wrongOf = <Name extends string>(errors: { readonly [N in Name]?: string | false }) =>
  Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== false)) as Partial<Record<Name, string>>

export function useForm<Fields extends object>(
  initial: Fields | (() => Fields),
  findWrong: (fields: Fields) => Wrong<Fields>,
  onChange?: () => void,
) {
  const [fields, setFields] = useState(initial)
  const [isChecked, setChecked] = useState(false)
  const found = findWrong(fields)
  const isRight = Object.keys(found).length === 0
  const wrong: Wrong<Fields> = isChecked ? found : {}
  const set = (part: Partial<Fields>): void => {
    setFields({ ...fields, ...part })
    onChange?.()
  }
  const bind = <Name extends keyof Fields>(name: Name) => ({
    value: fields[name],
    // TypeScript widens the type of a computed key to `string`.
    onChange: (value: Fields[Name]): void => set({ [name]: value } as unknown as Partial<Fields>),
    error: wrong[name],
  })
  const pick = <Name extends keyof Fields>(name: Name) => {
    const { value, onChange } = bind(name)
    return { value, onChange }
  }
  const check = (): boolean => {
    setChecked(true)
    return isRight
  }
  const submit = (send: () => unknown) => async (event: FormEvent) => {
    event.preventDefault()
    if (check()) await send()
  }
  return { fields, wrong, isRight, set, bind, pick, check, uncheck: () => setChecked(false), submit }
}
