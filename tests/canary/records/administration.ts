import { password } from '#testing'
import { startReceiver } from '../../../src/platform/egress/receivers.stand-in.ts'
import { addIds, type CanaryWorkspace, succeed } from '../canary-workspace.ts'
import { domain } from './people.ts'

/** Secrets and settings of the workspace and of the owner. */
export async function createAdministrationRecords(canary: CanaryWorkspace): Promise<void> {
  const { acme, word, register, users } = canary
  const { admin, owner, manager } = users
  const ai = { provider: 'openai_compatible', model: 'llama-3', base_url: 'https://models.example.com/v1' }
  await succeed(
    admin.patch('/api/admin/settings', {
      ai: { ...ai, api_key: word('model key') },
      sso: {
        okta: {
          issuer: 'https://acme.okta.example',
          client_id: 'client',
          client_secret: word('single sign-on secret'),
        },
      },
    }),
  )
  const config = { url: 'https://93.184.216.34/', mapping: { industry: '/industry' } }
  const provider = { key: 'acme', kind: 'http', enabled: false, config, secret: word('enrichment secret') }
  await succeed(admin.put('/api/enrichment/settings', { providers: [provider] }))
  const { body: key } = await succeed(admin.post('/api/api-keys', { name: 'Sync', scopes: ['leads.read'] }))
  register('API key', key.key)
  const app = { name: 'Sync', description: word('connected app') }
  const { body: connected } = await succeed(manager.post('/api/connected-apps', app))
  await succeed(
    acme.anonymous.post(
      '/api/auth/login',
      { email: owner.email, password },
      { 'user-agent': `${word('session browser')}/1.0` },
    ),
  )
  const views = [{ name: word('own view'), search: 'status=new' }]
  const lists = { leads: { columns: ['name'], views } }
  const navigation = { focus: 'sell', pinned: [`/segments ${word('pinned page')}`], collapsed: [] }
  await succeed(owner.put('/api/auth/preferences', { ...navigation, lists }))
  const invited = { email: `invited@${domain}`, name: 'Ida', send_invite: true }
  const { body: user } = await succeed(admin.post('/api/users/', invited))
  addIds(canary, { api_key: key.id, connected_app: connected.id, user: user.id })
}

export type Receivers = { name: 'admin' | 'manager' | 'viewer'; received: { body: string }[] }[]

/** Endpoints of an admin, a manager, and a manager who became a viewer, for all events that each may receive. */
export async function createEndpoints(canary: CanaryWorkspace): Promise<Receivers> {
  const { acme, word, register, users } = canary
  const former = await acme.person('manager')
  const receivers: Receivers = []
  for (const [name, user] of [
    ['admin', users.admin],
    ['manager', users.manager],
    ['viewer', former],
  ] as const) {
    const { port, received } = await startReceiver()
    const url = `http://127.0.0.1:${port}/in?token=${word('webhook address token')}`
    const endpoint = { url, event_types: ['*'], rate_per_second: 200 }
    const { body } = await succeed(user.post('/api/webhooks', endpoint))
    register('webhook secret', body.secret)
    receivers.push({ name, received })
    addIds(canary, { webhook_endpoint: body.id })
  }
  await succeed(users.admin.patch(`/api/users/${former.userId}`, { role: 'viewer' }))
  return receivers
}
