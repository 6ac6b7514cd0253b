import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { ParsedMail } from 'mailparser'
import type { RequestAuthenticator } from '#platform/http'
import { startTestApp } from '#testing'
import { kinds } from './fixtures.ts'
import type { MatrixOptions } from './matrix-case.ts'
import { createMatrixTenant, type MatrixTenant, type TestApp, type TestWorkspace } from './matrix-tenant.ts'
import { type Route, recordRoutes } from './routes.ts'

type Options = {
  environment?: Parameters<typeof startTestApp>[0]
  /** Called before authentication. Tests use it to disable a security layer. */
  onRequest?: (request: FastifyRequest) => void
  /** Replaces the authenticator. Tests use it to disable a security layer. */
  wrapAuthenticator?: (authenticator: RequestAuthenticator) => RequestAuthenticator
}
/** For a matrix over all routes on a busy machine. */
export const matrixTimeoutMs = 1_800_000

export type MatrixTestOptions = MatrixOptions & {
  /** Restricts a matrix to the routes whose URL contains this text. */
  routePart?: string
}
export type MatrixApp = Omit<Awaited<ReturnType<typeof startMatrixApp>>, 'withNewTenants'>

/** Starts the application with two tenants. Callers of `ownTenant` must not see or change anything of `otherTenant`. */
export async function startMatrixApp({
  environment,
  onRequest,
  wrapAuthenticator = (authenticator) => authenticator,
}: Options = {}) {
  const { routes, configOf } = recordRoutes(onRequest)
  const logLines: string[] = []
  const emails: { to: string; mail: ParsedMail }[] = []
  const test = await startTestApp(
    { LOG_LEVEL: 'info', SAFE_FETCH_ALLOW_PRIVATE: 'true', ...environment },
    {
      // The limit of a request would turn a busy machine into findings.
      toDatabaseUrl: (url) => `${url}?options=${encodeURIComponent('-c statement_timeout=30s')}`,
      onLine: (line) => void logLines.push(line),
      onMail: (to, mail) => void emails.push({ to, mail }),
      prepare: (services) => void Object.assign(services, { authenticator: wrapAuthenticator(services.authenticator) }),
    },
  )
  // All texts of the other tenant contain the canary. It is a single word, so that search does not split it.
  const canary = `canary${randomBytes(8).toString('hex')}`
  const createTenants = async () => ({
    ownTenant: await createTenant(test, 'own'),
    otherTenant: await createTenant(test, canary),
  })
  const app = { ...test, routes, configOf, logLines, emails, canary, ...(await createTenants()) }
  return {
    ...app,
    /** Returns the same application with new tenants, for tests that change records. */
    withNewTenants: async () => ({ ...app, ...(await createTenants()) }),
  }
}

export function selectRoutes({ routes }: Pick<MatrixApp, 'routes'>, routePart = ''): Route[] {
  const selected = routes.filter(({ url }) => url.includes(routePart))
  if (!selected.length) throw new Error(`The URL of no route contains ${routePart}.`)
  return selected
}

/** Creates a workspace whose users and settings contain the marker. */
export async function createTenant(test: TestApp, marker: string): Promise<MatrixTenant> {
  const workspace = await test.tenant({
    slug: `${marker}-${randomBytes(3).toString('hex')}`,
    name: `${marker} workspace`,
  })
  await markUsers(workspace, marker)
  await workspace.admin.patch('/api/admin/settings', {
    signup: { policy: 'open' },
    branding: { email_footer: marker },
    security: { code_viewer_enabled: true },
  })
  return createMatrixTenant({ workspace, services: test.services, storage: test.services.storage }, kinds, marker)
}

const markUsers = ({ sql, id }: TestWorkspace, marker: string) =>
  sql(
    `update identity.users set name = $2 || ' ' || role, title = $2 || ' title', search_text = $2 || ' ' || email
     where tenant_id = $1`,
    [id, marker],
  )
