import type { UploadLimits } from './upload-services.ts'

export const tusExtensions = ['creation', 'creation-with-upload', 'termination', 'checksum', 'expiration']

/** The upload server's capabilities, public (OPTIONS). */
export function uploadOptions({ mostBytes }: UploadLimits): Record<string, string> {
  return {
    'Tus-Resumable': '1.0.0',
    'Tus-Version': '1.0.0',
    'Tus-Extension': tusExtensions.join(','),
    'Tus-Max-Size': String(mostBytes),
    'Tus-Checksum-Algorithm': 'sha256,sha1',
  }
}
