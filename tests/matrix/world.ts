import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { ParsedMail } from 'mailparser'
import type { Gatekeeper } from '#platform/http'
import { startTestApp } from '#testing'
import { kinds } from './fixtures.ts'
import { openPlace, type Place, type TestApp, type Workspace } from './place.ts'
import { watchRoutes } from './routes.ts'

type Options = {
  environment?: Parameters<typeof startTestApp>[0]
  /** For a test that takes a layer away: what sees a request before the gate does, and whom the gate asks. */
  onRequest?: (request: FastifyRequest) => void
  alter?: (gatekeeper: Gatekeeper) => Gatekeeper
}
export type World = Omit<Awaited<ReturnType<typeof openWorld>>, 'anew'>

/** The application with two workspaces: ours, and theirs, which nobody of ours may see anything of. */
export async function openWorld({ environment, onRequest, alter = (gatekeeper) => gatekeeper }: Options = {}) {
  const { routes, declarationOf } = watchRoutes(onRequest)
  const lines: string[] = []
  const mails: { to: string; mail: ParsedMail }[] = []
  const test = await startTestApp(
    { LOG_LEVEL: 'info', ...environment },
    {
      onLine: (line) => void lines.push(line),
      onMail: (to, mail) => void mails.push({ to, mail }),
      prepare: (services) => void Object.assign(services, { gatekeeper: alter(services.gatekeeper) }),
    },
  )
  // In everything they have: addresses, names, the workspace itself. One word, so that no search splits it.
  const canary = `canary${randomBytes(8).toString('hex')}`
  const places = async () => ({ ours: await open(test, 'ours'), theirs: await open(test, canary) })
  const world = { ...test, routes, declarationOf, lines, mails, canary, ...(await places()) }
  return {
    ...world,
    /** The same with other workspaces, for a test that would find the first ones as another has left them. */
    anew: async () => ({ ...world, ...(await places()) }),
  }
}

async function open(test: TestApp, mark: string): Promise<Place> {
  const workspace = await test.tenant({ slug: `${mark}-${randomBytes(3).toString('hex')}`, name: `${mark} workspace` })
  await nameEverybody(workspace, mark)
  await workspace.admin.patch('/api/admin/settings', { signup: { policy: 'open' }, branding: { email_footer: mark } })
  return openPlace(workspace, kinds, mark)
}

const nameEverybody = ({ sql, id }: Workspace, mark: string) =>
  sql(
    `update identity.users set name = $2 || ' ' || role, title = $2 || ' title', search_text = $2 || ' ' || email
     where tenant_id = $1`,
    [id, mark],
  )
