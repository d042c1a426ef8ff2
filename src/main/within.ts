/** Waits for the work or the time, whichever ends first. A failure ends the wait as well. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise((done) => (timer = setTimeout(done, milliseconds)))
  await Promise.race([work.catch(() => {}), tooLong])
  clearTimeout(timer)
}
