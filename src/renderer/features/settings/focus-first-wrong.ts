/** A sentence below the fold would stay unread: the first field that is wrong takes the focus, which brings it into view. */
export function focusFirstWrong(form: HTMLFormElement): void {
  form.querySelector<HTMLElement>('.ui-field[data-invalid] :is(input, [role="spinbutton"])')?.focus()
}
