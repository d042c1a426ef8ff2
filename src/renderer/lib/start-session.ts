/**
 * The session that the therapist chose to start. It is recorded once its page is open and everyone present has agreed. Kept
 * out of the address, because a reload must not open the microphone.
 */
let chosen: string | null = null

window.addEventListener('hashchange', () => {
  if (chosen !== null && !window.location.hash.includes(chosen)) chosen = null
})

export function chooseToStart(sessionId: string | null): void {
  chosen = sessionId
}

export const isToStart = (sessionId: string): boolean => chosen === sessionId
