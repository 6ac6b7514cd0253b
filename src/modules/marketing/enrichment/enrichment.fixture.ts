import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import type { JobContext } from '#platform/jobs'
import { startTestApp } from '#testing'
import { startReceiver } from '../../../platform/egress/receivers.stand-in.ts'
import { dispatchEnrichmentHandler } from './jobs/dispatch-enrichment.jobs.ts'

type Workspace = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

export const settingsUrl = '/api/enrichment/settings'
export const offline = { key: 'offline', kind: 'offline' }

/** Starts an application whose providers may be on loopback. A test can shorten the timeout of their requests and limit their calls. */
export async function startEnrichmentApp(environment: Record<string, string> = { SAFE_FETCH_ALLOW_PRIVATE: 'true' }) {
  const requests: { timeoutMs?: number; maxBytes?: number }[] = []
  const provider = { timeoutMs: 10_000 }
  const allowances = new Map<string, number>()
  const app = await startTestApp(environment, {
    prepare(services) {
      const { egress, limits } = services
      services.egress = {
        ...egress,
        safeFetch(url, options) {
          requests.push(options ?? {})
          return egress.safeFetch(url, { ...options, ...provider })
        },
      }
      services.limits = {
        ...limits,
        async take(bucket, cost) {
          const key = bucket.key.split(':').at(-1)!
          const rest = bucket.name === 'enrichment' ? allowances.get(key) : undefined
          if (rest !== undefined) allowances.set(key, Math.max(0, rest - 1))
          const result = await limits.take(bucket, cost)
          return rest === 0 ? { ...result, allowed: false, resetSeconds: 60 } : result
        },
      }
    },
  })
  const { db, owner, services } = app

  /** Runs the dispatcher of a workspace in this process until no job is due. */
  async function dispatch({ id: tenantId }: { id: string }): Promise<void> {
    const context: JobContext = {
      tenantId,
      attempt: 1,
      signal: new AbortController().signal,
      inTenant: (work) => inTenant(db, systemActor(tenantId), work),
      inTenantAsSystem: () => Promise.reject(new Error('unused')),
      detach: () => {},
      requeue: () => Promise.reject(new Error('unused')),
      isPaused: async () => false,
      log: {
        info: () => {},
        warn: () => {},
        error: ({ err }: { err?: Error }) => Promise.reject(err),
      } as JobContext['log'],
    }
    await dispatchEnrichmentHandler(services).run(context, {} as never)
  }

  return {
    ...app,
    requests,
    provider,
    /** Calls that the rate limit of a provider still allows; unlimited if absent. */
    allowances,
    dispatch,
    async addLead(workspace: Workspace, fields: object) {
      const { status, body } = await workspace.member.post('/api/leads/', fields)
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body
    },
    enrich: (workspace: Workspace, id: string, query: Record<string, unknown> = {}, type = 'lead') =>
      workspace.member.post(`/api/enrichment/enrich/${type}/${id}?${new URLSearchParams(query as never)}`),
    statusOf: async (workspace: Workspace, id: string, type = 'lead') =>
      (await workspace.viewer.get(`/api/enrichment/status/${type}/${id}`)).body,
    async putSettings(workspace: Workspace, settings: object) {
      const response = await workspace.admin.put(settingsUrl, settings)
      if (response.status !== 200) throw new Error(response.text)
      return response.body
    },
    creditsOf: async ({ id }: { id: string }): Promise<number> =>
      (
        await owner.query('select sum(credits_used)::int as sum from marketing.enrichment_usage where tenant_id = $1', [
          id,
        ])
      ).rows[0].sum,
    readJobs: async ({ id }: { id: string }) =>
      (
        await owner.query(
          `select id, entity_id, status, reason, attempts, run_at, credits_used, credits_reserved, log, fields_requested
           from marketing.enrichment_jobs where tenant_id = $1 order by id`,
          [id],
        )
      ).rows,
  }
}

type Answer = object | number | 'hang' | ((url: URL, body: string) => object | number)

/** Starts a JSON service on loopback. It answers with a document, an HTTP status, or not at all. */
export async function startProvider(key: string, answer: Answer, config: object = {}) {
  const state = { answer }
  const receiver = await startReceiver((request, response) => {
    const { answer: current } = state
    if (current === 'hang') return
    const url = new URL(request.url!, 'http://provider.example')
    const result = typeof current === 'function' ? current(url, '') : current
    if (typeof result === 'number') response.writeHead(result).end()
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
  })
  const url = `http://127.0.0.1:${receiver.port}/find?email={email}&fields={fields}`
  return {
    ...receiver,
    state,
    /** Fields that each request asked for. */
    asked: () => receiver.received.map((request) => new URL(request.url, 'http://x').searchParams.get('fields')),
    settings: {
      key,
      kind: 'http',
      position: 1,
      config: { url, mapping: { title: '/title', industry: '/industry' }, ...config },
    },
  }
}
