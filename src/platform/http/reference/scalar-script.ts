import Fastify from 'fastify'
import { createStaticFile, type StaticFile } from '../static-file.ts'

const settings = {
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
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: true,
  defaultOpenFirstTag: true,
  customCss: ':root { --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }',
}

/** Stops zod from probing `eval`, which the content security policy would report as a violation. */
const prelude = 'globalThis.__zod_globalConfig = { jitless: true };'

/** Loads the script through a temporary Fastify app, because the package exposes it only inside its plugin. */
export async function loadScalarScript(): Promise<StaticFile> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, { configuration: { url: '/api/openapi.json' } })
  const { statusCode, body } = await app.inject('/reference/js/scalar.js')
  await app.close()
  if (statusCode !== 200)
    throw new Error('@scalar/fastify-api-reference no longer serves its script at /reference/js/scalar.js.')
  // The page names its document, because inline scripts are not allowed.
  const url = "document.getElementById('reference').dataset.url"
  const start = `Scalar.createApiReference('#reference', { ...${JSON.stringify(settings)}, url: ${url} })`
  return await createStaticFile('text/javascript; charset=utf-8', `${prelude}\n${body}\n;${start}\n`)
}
