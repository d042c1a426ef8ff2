/** What the operator did or set up wrongly, said in a sentence; ends the program, without a stack. */
export class Mistake extends Error {
  override readonly name = 'Mistake'
}
