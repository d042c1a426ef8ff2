/** Where a caller who knows only the host begins. */
export const pointers = {
  name: 'Clinical Documentation Service',
  docs: '/v1/docs',
  openapi: '/v1/openapi.json',
  service: '/v1',
} as const

/** No script and nothing from elsewhere. */
export const frontPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const frontPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${pointers.name}</title>
<h1>${pointers.name}</h1>
<p>Read the <a href="${pointers.docs}">API documentation</a> or the <a href="${pointers.openapi}">OpenAPI document</a>.
Calls go to <code>${pointers.service}</code>.</p>
</html>
`

/** Styles that Redoc makes at run time carry the nonce; its icons are data. Nothing comes from another host. */
export const docsPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Without the link at the foot, whose picture is on another host. */
const style =
  'body{margin:0}a[href*="redocly.com"]{display:none!important}h1{font-size:1.75rem!important;word-break:normal!important}'

export const docsPage = (base: string, nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" nonce="${nonce}">
<title>${pointers.name} API</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
</head>
<body>
<div id="reference" data-base="${base}"></div>
<noscript><p>This page needs JavaScript. The <a href="${base}/openapi.json">OpenAPI document</a> says the same.</p></noscript>
<script type="module" src="${base}/docs/start.js"></script>
</body>
</html>
`

/** Runs in the reader's browser. */
export const startScript = `const place = document.getElementById('reference')
const base = place.dataset.base
const { init } = await import(base + '/docs/redoc.js')
init(base + '/openapi.json', { disableTelemetry: true, showPageActions: false }, place)
`
