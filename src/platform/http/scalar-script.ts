import Fastify from 'fastify'
import { type KeptFile, keepFile } from './kept-file.ts'

/** Nothing may be fetched from, or told to, anybody but this server. */
const settings = {
  url: '/api/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true, hideAddApi: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  documentDownloadType: 'json',
  expandAllResponses: false,
  operationTitleSource: 'summary',
  customCss: ':root { --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }',
}

/** The script looks whether it may compile code while it runs. It may not, and asking would be reported as an attempt. */
const prelude = 'globalThis.__zod_globalConfig = { jitless: true };'

/**
 * The script that draws the reference, with the call that starts it at its end, so that the page needs no script of its own.
 * The package has the script only inside of its plugin, which is therefore mounted on an application that serves nobody else.
 */
export async function loadScalar(): Promise<KeptFile> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const shelf = Fastify()
  await shelf.register(scalar, { configuration: { url: settings.url } })
  const { statusCode, body } = await shelf.inject('/reference/js/scalar.js')
  await shelf.close()
  if (statusCode !== 200) throw new Error('@scalar/fastify-api-reference has its script at another place than before.')
  const start = `Scalar.createApiReference('#reference', ${JSON.stringify(settings)})`
  return await keepFile('text/javascript; charset=utf-8', `${prelude}\n${body}\n;${start}\n`)
}
