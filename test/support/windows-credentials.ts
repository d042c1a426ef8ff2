import type { Entry } from '#base/keychain.ts'

/** Windows Credential Manager behind the keyring library: it refuses what CredWriteW refuses, in the library's words. */
export function windowsCredentials(stored: Map<string, Uint8Array> = new Map()) {
  const calls: string[] = []
  /** The calls to let through before the process "dies": every later call stays unanswered forever. */
  const limits = { callsLeft: Infinity }
  const call = async <Value>(name: string, account: string, work: () => Value): Promise<Value> => {
    if (limits.callsLeft <= 0) return new Promise<never>(() => {})
    limits.callsLeft -= 1
    calls.push(`${name} ${account}`)
    await Promise.resolve()
    return work()
  }
  const entry = (account: string): Entry => {
    // CRED_MAX_USERNAME_LENGTH
    if (account.length > 513) throw new Error("Attribute 'user' is longer than platform limit of 513 chars")
    return {
      getSecret: () => call('get', account, () => (stored.has(account) ? [...stored.get(account)!] : null)),
      setSecret: (secret) =>
        call('set', account, () => {
          // CRED_MAX_CREDENTIAL_BLOB_SIZE
          if (secret.length > 2560) throw new Error("Attribute 'secret' is longer than platform limit of 2560 chars")
          stored.set(account, Uint8Array.from(secret))
        }),
      deleteCredential: () => call('delete', account, () => stored.delete(account)),
    }
  }
  return { stored, calls, limits, entry }
}
