import { shell } from 'electron'
import type { ShellCall, ShellCalls } from './shell-calls.ts'

const MAX_PAGES = 5

export interface SignInPages {
  /** Opens the page in the system's browser if the core returned this address lately; does nothing otherwise. */
  open(url: string): void
  readonly calls: ShellCalls
}

/** The only addresses that leave the app: a compromised window must not send data out in an address it made up. */
export function createSignInPages(): SignInPages {
  let pages: string[] = []
  const remember: ShellCall = async (_input, core) => {
    const answer = await core()
    if (answer.ok) pages = [...pages, new URL((answer.value as { address: string }).address).href].slice(-MAX_PAGES)
    return answer
  }
  return {
    open(url) {
      if (URL.canParse(url) && isWebPage(new URL(url)) && pages.includes(new URL(url).href)) void shell.openExternal(url)
    },
    calls: { 'settings.signIn': remember, 'moving.signIn': remember },
  }
}

/** Unencrypted only on this computer, as in tests of a practice's service. */
function isWebPage({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1')
}
