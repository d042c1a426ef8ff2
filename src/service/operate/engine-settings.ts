import { z } from 'zod'
import { line, setting, wholeNumber, webAddress } from './setting.ts'

/** What it has others do: transcription, drafts, keeping audio, asking payers. */
export const engineSettings = {
  speech_address: setting(webAddress.optional(), {
    variable: 'AFTERWORD_SPEECH_ADDRESS',
    help: 'server for transcription that speaks the OpenAI API',
  }),
  speech_model: setting(line.optional(), { variable: 'AFTERWORD_SPEECH_MODEL', help: 'model it is asked for' }),
  speech_key: setting(line.optional(), { variable: 'AFTERWORD_SPEECH_KEY', isSecret: true, help: 'key it asks for' }),
  speech_language: setting(line.optional(), {
    variable: 'AFTERWORD_SPEECH_LANGUAGE',
    help: 'language of the sessions (en, de, ...)',
  }),
  model_mirror: setting(webAddress.optional(), {
    flag: 'model-mirror',
    variable: 'AFTERWORD_MODEL_MIRROR',
    value: 'ADDRESS',
    help: 'your own mirror that `models install` downloads from, in place of the sources the catalogue names',
  }),
  language_address: setting(webAddress.optional(), {
    variable: 'AFTERWORD_LANGUAGE_ADDRESS',
    help: 'server for drafts that speaks the OpenAI chat API; without one they are put together by rules',
  }),
  language_model: setting(line.optional(), { variable: 'AFTERWORD_LANGUAGE_MODEL', help: 'model it is asked for' }),
  language_key: setting(line.optional(), { variable: 'AFTERWORD_LANGUAGE_KEY', isSecret: true, help: 'key it asks for' }),
  language_file: setting(line.optional(), {
    variable: 'AFTERWORD_LANGUAGE_FILE',
    help: 'a GGUF model for drafts on this machine, in place of a server',
  }),
  language_context: setting(wholeNumber(1024, 2_000_000).optional(), {
    variable: 'AFTERWORD_LANGUAGE_CONTEXT',
    help: 'tokens the model takes at once',
  }),
  s3_bucket: setting(line.optional(), {
    variable: 'AFTERWORD_S3_BUCKET',
    help: 'bucket of an S3-compatible store for audio that was sent, sealed; folder blobs in DIR without one',
  }),
  s3_endpoint: setting(webAddress.optional(), {
    variable: 'AFTERWORD_S3_ENDPOINT',
    help: 'address of that store; Amazon’s own without one',
  }),
  s3_region: setting(line.default('us-east-1'), { variable: 'AFTERWORD_S3_REGION', help: 'its region (us-east-1)' }),
  s3_prefix: setting(line.optional(), {
    variable: 'AFTERWORD_S3_PREFIX',
    help: 'before each name in the bucket, e.g. afterword/',
  }),
  s3_access_key: setting(line.optional(), { variable: 'AFTERWORD_S3_ACCESS_KEY', isSecret: true, help: 'access key id' }),
  s3_secret_key: setting(line.optional(), { variable: 'AFTERWORD_S3_SECRET_KEY', isSecret: true, help: 'secret access key' }),
  upload_limit: setting(wholeNumber(1, 100_000).default(1024), {
    variable: 'AFTERWORD_UPLOAD_LIMIT',
    help: 'largest upload of audio, in MiB (1024)',
  }),
  payer_key: setting(line.optional(), {
    variable: 'AFTERWORD_PAYER_KEY',
    isSecret: true,
    help: 'key of the gateway that asks payers about coverage; without one the sandbox alone answers, for test keys',
  }),
  payer_address: setting(webAddress.default('https://healthcare.us.stedi.com/2024-04-01'), {
    variable: 'AFTERWORD_PAYER_ADDRESS',
    help: 'its address (Stedi’s own), for any gateway that speaks as Stedi does',
  }),
  payer_npi: setting(
    z
      .string()
      .regex(/^\d{10}$/, 'must be the ten digits of an NPI')
      .optional(),
    {
      variable: 'AFTERWORD_PAYER_NPI',
      help: 'NPI of who asks, where a call does not say',
    },
  ),
  payer_organization: setting(line.optional(), {
    variable: 'AFTERWORD_PAYER_ORGANIZATION',
    help: 'name of who asks, to go with that NPI',
  }),
} as const
