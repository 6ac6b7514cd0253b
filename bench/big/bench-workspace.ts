import type pg from 'pg'
import type { Environment } from '#platform/config'
import { domain } from '../api.ts'
import { createHttpClient, type HttpRequest } from '../http-client.ts'
import { createAccessToken } from '../sign-in.ts'

export type BenchWorkspace = Awaited<ReturnType<typeof openBenchWorkspace>>

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
  const { send } = createHttpClient(port, headers)
  return {
    slug,
    tenantId,
    headers,
    send,
    leads,
    /** Sends a request over a connection of its own, without a second try. */
    sendApart: (request: HttpRequest) => createHttpClient(port, headers, { isKeptAlive: false }).send(request, 1),
    async createEndpoint(url: string): Promise<void> {
      await send({ method: 'POST', path: '/api/webhooks', body: { url, event_types: ['lead.created'] } })
    },
    async deleteEndpoints(): Promise<void> {
      const { body } = await send({ path: '/api/webhooks?limit=200' })
      for (const { id } of body.items) await send({ method: 'DELETE', path: `/api/webhooks/${id}` })
    },
  }
}
