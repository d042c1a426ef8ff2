import { z } from 'zod'
import { issuersSchema } from '../oauth/issuer.ts'
import { setting } from './setting.ts'

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' })
    return z.NEVER
  }
})

/** Who may sign people in, beside the service's own keys. */
export const signInSettings = {
  oauth_issuers: setting(json.pipe(issuersSchema).optional(), {
    variable: 'AFTERWORD_OAUTH_ISSUERS',
    isSecret: true,
    help: 'JSON list of OAuth 2.0 issuers whose access tokens are taken: [{"issuer":"https://...","audience":"..."}]; see docs/operating.md',
  }),
} as const
