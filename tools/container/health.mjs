// Checks the service in this container; exits with 1 if it is not healthy.
import { get as plain } from 'node:http'
import { get as secure } from 'node:https'

const port = process.env['PORT'] || '8080'
const isSecure = Boolean(process.env['AFTERWORD_TLS_CERTIFICATE'])
// The certificate is the container's own, and its name is not localhost.
const options = { host: '127.0.0.1', port, path: '/healthz', timeout: 4000, rejectUnauthorized: false }
const asked = (isSecure ? secure : plain)(options, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
asked.on('timeout', () => asked.destroy())
asked.on('error', () => process.exit(1))
