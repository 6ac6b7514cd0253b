import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Environment } from '#platform/config'
import { domain } from '../api.ts'
import { createAccessToken } from '../sign-in.ts'

export type BenchWorkspace = Awaited<ReturnType<typeof openBenchWorkspace>>
type HttpRequest = { method?: string; path: string; body?: object }
type ResponseBody = { id: string; next_cursor: string | null; items: { id: string }[] }
type TimedResponse = { status: number; durationMs: number; body: ResponseBody }

/** Signs in the admin of a filled workspace. */
export async function openBenchWorkspace(
  slug: string,
  { owner, environment, port }: { owner: pg.Pool; environment: Environment; port: number },
) {
  const { rows: admins } = await owner.query(
    `select tenant.id as tenant_id, admin.id as user_id from identity.tenants tenant
     join identity.users admin on admin.tenant_id = tenant.id and admin.role = 'admin' where slug = $1`,
    [slug],
  )
  const [tenantId, userId] = [admins[0].tenant_id as string, admins[0].user_id as string]
  const { rows: leads } = await owner.query<{ id: string; owner_id: string | null; name_key: string }>(
    'select id, owner_id, name_key from crm.leads where tenant_id = $1 and deleted_at is null order by md5(id::text) limit 500',
    [tenantId],
  )
  const token = await createAccessToken(owner, { tenantId, userId }, environment)
  const headers = { host: `${slug}.${domain}`, authorization: `Bearer ${token}` }
  const agent = new Agent({ keepAlive: true })

  /** Retries 503 responses of an overloaded machine; the duration is that of the last attempt. */
  async function send(httpRequest: HttpRequest, tries = 5): Promise<TimedResponse> {
    for (; ; tries--) {
      const response = await sendOnce(httpRequest)
      if (response.status < 300) return response
      if (response.status !== 503 || tries === 1)
        throw new Error(
          `${httpRequest.method} ${httpRequest.path}: ${response.status} ${JSON.stringify(response.body)}`,
        )
      await sleep(500)
    }
  }

  function sendOnce({ method = 'GET', path, body }: HttpRequest): Promise<TimedResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<TimedResponse>()
    const text = body && JSON.stringify(body)
    const start = performance.now()
    const clientRequest = request({
      ...{ host: '127.0.0.1', port, method, path, agent },
      headers: { ...headers, ...(text && { 'content-type': 'application/json' }) },
    })
    clientRequest.once('error', reject)
    clientRequest.once('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode!, durationMs: performance.now() - start, body: JSON.parse(text) })
    })
    clientRequest.end(text)
    return promise
  }
  return { slug, tenantId, headers, send, leads }
}
