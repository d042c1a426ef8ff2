/** True where something the machine lacks leaves tests out; says so in one line that cannot be missed. */
export function leftOut(what: string, why: string | null): boolean {
  if (why === null) return false
  process.stderr.write(`LEFT OUT: ${what}: ${why}\n`)
  return true
}
