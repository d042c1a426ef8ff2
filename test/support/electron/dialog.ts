import type { Dialog, MessageBoxOptions, MessageBoxReturnValue } from 'electron'
import { record } from './journal.ts'
import type { Faithful } from './native-emitter.ts'

/** Open message boxes, oldest first. Only the test answers them. */
const open: { readonly options: MessageBoxOptions; readonly answer: (value: MessageBoxReturnValue) => void }[] = []

const fake = {
  showErrorBox: (title: string, content: string): void => record('error-box', { title, content }),
  showMessageBox: (...given: [object, MessageBoxOptions] | [MessageBoxOptions]): Promise<MessageBoxReturnValue> => {
    const options = given.at(-1) as MessageBoxOptions
    if (typeof options.message !== 'string') throw new TypeError('message must be a string')
    const { promise, resolve } = Promise.withResolvers<MessageBoxReturnValue>()
    const box = { options, answer: resolve }
    open.push(box)
    // Closes the box as Escape does.
    options.signal?.addEventListener('abort', () => {
      if (!open.includes(box)) return
      open.splice(open.indexOf(box), 1)
      resolve({ response: options.cancelId ?? 0, checkboxChecked: false })
    })
    record('message-box', { ...options, icon: undefined, signal: undefined, hasParent: given.length > 1 })
    return promise
  },
}

export const dialog = fake satisfies Faithful<typeof fake, Dialog, 'showMessageBox'>

export const openBoxes = (): readonly MessageBoxOptions[] => open.map(({ options }) => options)

/** Clicks the button with this label. */
export function answerBox(label: string): void {
  const box = open.shift()
  if (box === undefined) throw new Error('no message box is open')
  const response = (box.options.buttons ?? ['OK']).indexOf(label)
  if (response === -1) throw new Error(`the box has no button ${label}: ${(box.options.buttons ?? []).join(', ')}`)
  box.answer({ response, checkboxChecked: false })
}

/** Presses Escape. */
export function dismissBox(): void {
  const box = open.shift()
  if (box === undefined) throw new Error('no message box is open')
  box.answer({ response: box.options.cancelId ?? 0, checkboxChecked: false })
}
