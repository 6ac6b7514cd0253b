import { createScenario } from '../../src/modules/coaching/coaching.fixture.ts'
import { createImportClient } from '../../src/modules/crm/exchange/imports/imports.fixture.ts'
import { fixtures } from '../matrix/fixtures.ts'
import type { MatrixApp } from '../matrix/matrix-app.ts'
import { type Form, forms, hostileText } from './hostile-forms.ts'
import { createValidRequest } from './hostile-requests.ts'
import { findLongJobs } from './long-jobs.ts'
import { maxTurnMs, measureRequest, withCall } from './measured-app.ts'

type Scenario = {
  app: MatrixApp
  /** All forms, or those of the build. */
  forms: readonly Form[]
  /** Sends a request as a user and reports it if the event loop stands still. Returns the body of the response. */
  send(name: string, method: string, url: string, payload?: Payload, headers?: Record<string, string>): Promise<Body>
}
/** A function returns another payload for each measurement. */
type Payload = string | object | (() => object)
// biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declaring their type
type Body = any

/** Ends a scenario, whose next text could take forever. */
class Finding extends Error {}

/** Uses of long texts that take several requests or a job. */
const scenarios: Record<string, (scenario: Scenario) => Promise<unknown>> = {
  async 'a file of any content is uploaded'({ app, forms: sent, send }) {
    const multipart = app.routes.filter(({ name }) => fixtures[name]?.upload === true)
    // The short one takes seconds if the time is exponential.
    for (const route of multipart)
      for (const form of sent)
        for (const length of form === 'comments' ? [170, 70_000] : [70_000]) {
          const { call } = await createValidRequest(app.ownTenant, route, fixtures[route.name]!)
          const payload = (call.payload as string).replace('text\ntext', hostileText(form, length).slice(1))
          await send(`${route.name} (${form})`, route.method, call.url, payload, call.headers)
        }
  },

  async 'a transcript is evaluated'({ forms: sent, send }) {
    for (const form of sent) {
      const fields = { title: 'Pitch', transcript: hostileText(form, 100_000) }
      const { id } = await send(`practice (${form})`, 'POST', '/api/enablement/pitch/practice', fields)
      await send(`evaluate (${form})`, 'POST', `/api/enablement/pitch/submissions/${id}/evaluate`)
    }
  },

  async 'a roleplay has long messages'({ app, forms: sent, send }) {
    const { id } = await createScenario(app.ownTenant.workspace)
    const url = '/api/enablement/coaching'
    const roleplay = await send('start', 'POST', `${url}/scenarios/${id}/roleplay/start`, {})
    for (const form of sent)
      await send(`message (${form})`, 'POST', `${url}/roleplay/${roleplay.id}/message`, {
        text: hostileText(form, 4_000),
      })
    await send('live analysis', 'POST', `${url}/roleplay/${roleplay.id}/live-analysis`)
    await send('finish', 'POST', `${url}/roleplay/${roleplay.id}/finish`, {})
  },

  async 'a custom field has an expensive pattern'({ forms: sent, send }) {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `${letter}?`).join('')
    const patterns = [`(?:${letters.repeat(3)}){1000}$`, `(?:${letters}){18}$`, '(?:.?){50}(?:.?){50}(?:\\w?){50}x$']
    let fields = 0
    for (const pattern of patterns) {
      // Compiled patterns are cached, so each request has another one.
      const newField = () => ({
        object_type: 'lead',
        label: `Field ${++fields}`,
        type: 'long_text',
        validation: { pattern: `${pattern}|${fields}` },
      })
      const { key } = await send(`pattern ${pattern.slice(0, 20)}`, 'POST', '/api/custom-fields', newField)
      for (const length of key ? [250, 20_000] : [])
        for (const form of sent) {
          const lead = { last_name: 'Moss', custom: { [key]: hostileText(form, length) } }
          await send(`lead with ${length} characters (${form})`, 'POST', '/api/leads/', lead)
        }
    }
  },

  async 'a file with long cells is imported'({ app, forms: sent }) {
    const { workspace } = app.ownTenant
    const cells = [
      ...sent.map((form) => hostileText(form, 20_000)),
      `EUR${' '.repeat(1_000)}1x`,
      `1${',000'.repeat(5_000)}x`,
    ]
    const columns = [
      'First name',
      'Last name',
      'Email',
      'Phone',
      'Company',
      'Website',
      'Country',
      'Tags',
      'Annual revenue',
    ]
    const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`
    const rows = [columns, ...cells.map((cell) => columns.map(() => cell))]
    const { prepare } = createImportClient(app)
    const csv = rows.map((row) => row.map(quote).join()).join('\n')
    const id = await prepare(workspace, csv, { mapping: { 'Annual revenue': 'annual_revenue' } })
    await workspace.member.post(`/api/leads/imports/${id}/run`, { dry_run: true })
    return await findLongJobs(app)
  },
}

export async function runSizeScenarios(app: MatrixApp, { isShort }: { isShort: boolean }): Promise<string[]> {
  const findings: string[] = []
  const { member, admin } = app.ownTenant.workspace
  const send: Scenario['send'] = async (name, method, url, payload, headers) => {
    const client = url.includes('custom-fields') ? admin : member
    const toRequest = () => {
      const call = { method, url, payload: typeof payload === 'function' ? payload() : payload }
      return withCall({ client, tenant: app.ownTenant, call }, call, headers)
    }
    const { response, longestMs } = await measureRequest(app, toRequest(), async () => toRequest())
    const body = response.headers['content-type']?.toString().includes('json') ? response.json() : undefined
    if (longestMs > maxTurnMs) throw new Finding(`${name}: the event loop stood still for ${Math.round(longestMs)} ms`)
    if (response.statusCode >= 500) throw new Finding(`${name}: responded ${response.statusCode}`)
    if (body?.code === 'text_too_complex') throw new Finding(`${name}: took more than the time limit of text work`)
    return body
  }
  for (const [name, run] of Object.entries(scenarios))
    try {
      const found = await run({ app, forms: isShort ? ['dots', 'comments', 'mixed'] : forms, send })
      if (Array.isArray(found)) findings.push(...found.map((finding) => `${name}: ${finding}`))
    } catch (error) {
      if (!(error instanceof Finding)) throw error
      findings.push(error.message)
    }
  return findings
}
