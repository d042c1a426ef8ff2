import { X509Certificate } from 'node:crypto'
import nodeTls from 'node:tls'
import { errorKind, type Log } from './log.ts'

type Certificates = Pick<typeof nodeTls, 'getCACertificates' | 'setDefaultCACertificates'>

/**
 * From now on every connection of this thread also trusts the system's certificates: a practice's proxy may inspect
 * encrypted traffic with a certificate that only the system knows.
 */
export function trustSystemCertificates(log: Log, tls: Certificates = nodeTls): void {
  try {
    const certificates = [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])]
    try {
      tls.setDefaultCACertificates(certificates)
    } catch {
      // It takes all or none, and a system's store may hold a certificate that it cannot read.
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
