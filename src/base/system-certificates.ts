import { X509Certificate } from 'node:crypto'
import nodeTls from 'node:tls'
import { errorKind, type Log } from './log.ts'

type Certificates = Pick<typeof nodeTls, 'getCACertificates' | 'setDefaultCACertificates'>

/**
 * Makes every connection of this thread also trust the system's certificates. A practice's proxy may inspect TLS with a
 * certificate that only the system knows.
 */
export function trustSystemCertificates(log: Log, tls: Certificates = nodeTls): void {
  try {
    const certificates = [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])]
    try {
      tls.setDefaultCACertificates(certificates)
    } catch {
      // Setting accepts either all certificates or none, and the system may hold a certificate that Node cannot parse.
      tls.setDefaultCACertificates(certificates.filter(isReadable))
    }
  } catch (error) {
    log.warn('certificates.system-not-trusted', { kind: errorKind(error) })
  }
}

function isReadable(certificate: string): boolean {
  try {
    return new X509Certificate(certificate).raw.length > 0
  } catch {
    return false
  }
}
