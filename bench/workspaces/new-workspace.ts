import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { newId } from '#platform/ids'
import { createTestDatabase, migrateTemplate, openOwnerPool, startPostgres } from '#testing'
import { createEnvironment, domain, startApi } from '../api.ts'
import { createHttpClient } from '../http-client.ts'
import { createAccessToken } from '../sign-in.ts'

/** Starts PostgreSQL and the API with one workspace, which has an admin and no data. */
export async function startNewWorkspace(slug: string, overrides: Record<string, string> = {}) {
  const server = await startPostgres({ settings: ['shared_buffers=512MB', 'jit=off', 'max_wal_size=4GB'] })
  await migrateTemplate(server.url)
  const database = await createTestDatabase(server.url)
  const owner = openOwnerPool(database.ownerUrl)
  owner.on('error', () => {})
  const tenantId = newId()
  await owner.query(`insert into identity.tenants (id, slug, name) values ($1, $2, $2)`, [tenantId, slug])
  const createUser = async (name: string): Promise<string> => {
    const id = newId()
    await owner.query(
      `insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text, email_verified_at)
       values ($1, $2, $3 || '@' || $4 || '.example', $3, 'admin', 'active', true, 'sample', $3, now())`,
      [tenantId, id, name, slug],
    )
    await owner.query('insert into identity.user_presence (tenant_id, user_id) values ($1, $2)', [tenantId, id])
    return id
  }
  const userId = await createUser('admin')
  const environment = createEnvironment(database, { RATE_LIMIT_FACTOR: '0', ...overrides })
  const createToken = (id: string) => createAccessToken(owner, { tenantId, userId: id }, environment)
  const token = await createToken(userId)
  const api = await startApi(environment)
  const headersOf = (ownToken: string) => ({ host: `${slug}.${domain}`, authorization: `Bearer ${ownToken}` })
  return {
    owner,
    tenantId,
    environment,
    superuserUrl: database.ownerUrl.replace(
      /\/\/[^@]*@/,
      `//${new URL(server.url).username}:${new URL(server.url).password}@`,
    ),
    createUser,
    createToken,
    createClient: (ownToken = token) => createHttpClient(api.port, headersOf(ownToken)),
    /** Requests a file and returns its parts as they arrive. */
    async download(path: string): Promise<IncomingMessage> {
      const sent = get({ host: '127.0.0.1', port: api.port, path, headers: headersOf(token) })
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      if (response.statusCode !== 200) throw new Error(`GET ${path}: ${response.statusCode}`)
      return response
    },
    async stop() {
      await api.stop()
      await owner.end()
      await server.stop()
    },
  }
}
