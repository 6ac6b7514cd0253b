import { newId } from '#platform/ids'
import { createTestDatabase, migrateTemplate, openOwnerPool, startPostgres } from '#testing'
import { createEnvironment, domain, startApi } from './api.ts'
import { createHttpClient } from './http-client.ts'
import { createAccessToken } from './sign-in.ts'

export const eventsPerBatch = 1_000

/** Starts PostgreSQL and the API with one workspace whose manager sends events. */
export async function startUsageWorkspace() {
  const server = await startPostgres({ settings: ['shared_buffers=512MB', 'jit=off', 'max_wal_size=4GB'] })
  await migrateTemplate(server.url)
  const database = await createTestDatabase(server.url)
  const owner = openOwnerPool(database.ownerUrl)
  owner.on('error', () => {})
  const [tenantId, userId, slug] = [newId(), newId(), 'usage']
  await owner.query(`insert into identity.tenants (id, slug, name) values ($1, $2, 'Usage')`, [tenantId, slug])
  await owner.query(
    `insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text, email_verified_at)
     values ($1, $2, 'admin@usage.example', 'Admin', 'admin', 'active', true, 'sample', 'admin', now())`,
    [tenantId, userId],
  )
  await owner.query('insert into identity.user_presence (tenant_id, user_id) values ($1, $2)', [tenantId, userId])
  const environment = createEnvironment(database, { RATE_LIMIT_FACTOR: '0' })
  const token = await createAccessToken(owner, { tenantId, userId }, environment)
  const api = await startApi(environment)
  return {
    owner,
    tenantId,
    superuserUrl: database.ownerUrl.replace(
      /\/\/[^@]*@/,
      `//${new URL(server.url).username}:${new URL(server.url).password}@`,
    ),
    createClient: (ownToken = token) =>
      createHttpClient(api.port, { host: `${slug}.${domain}`, authorization: `Bearer ${ownToken}` }),
    createToken: (id: string) => createAccessToken(owner, { tenantId, userId: id }, environment),
    async stop() {
      await api.stop()
      await owner.end()
      await server.stop()
    },
  }
}

const names = ['signed_in', 'page_viewed', 'project_created', 'task_completed', 'report_exported', 'invite_sent']

/** Events of `people` people over `days` days, the same for the same number. */
export function usageEventAt(n: number, { people, days, now }: { people: number; days: number; now: number }) {
  const person = (n * 7_919) % people
  return {
    event_id: `event-${n}`,
    name: names[(n * 31) % names.length]!,
    user_ref: `user-${person}`,
    account_ref: `team-${person % Math.ceil(people / 5)}`,
    occurred_at: new Date(now - 60_000 - ((n * 104_729) % (days * 86_400_000))).toISOString(),
    properties: { plan: 'team', seats: n % 50 },
  }
}
