import assert from 'node:assert/strict'
import type { startTestApp } from '#testing'

type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>
type Json = Record<string, unknown>

/** A record of a subject type: how to create it, how the API shows it, and how to delete it if that is possible. */
export type PresentedRecord = {
  create(acme: Acme): Promise<string>
  show(acme: Acme, id: string): Promise<unknown>
  delete?(acme: Acme, id: string): Promise<unknown>
}

async function post(user: Acme['admin'], url: string, body: object): Promise<Json & { id: string }> {
  const response = await user.post(url, body)
  assert.ok(response.status < 300, response.text)
  return response.body
}

async function read(user: Acme['admin'], url: string) {
  const response = await user.get(url)
  assert.equal(response.status, 200, response.text)
  return response.body
}

const findIn = (items: { id: string }[], id: string) => items.find((item) => item.id === id)

/** Created and deleted by the manager, shown to the viewer. */
const crmRecord = (url: string, create: (acme: Acme) => Promise<{ id: string }>): PresentedRecord => ({
  create: async (acme) => (await create(acme)).id,
  show: (acme, id) => read(acme.viewer, `${url}${id}`),
  delete: (acme, id) => acme.manager.delete(`${url}${id}`),
})

let count = 0

const createAccount = (acme: Acme) => post(acme.manager, '/api/accounts/', { name: `Initech ${++count}` })

const createContact = async (acme: Acme) => {
  const { id: account_id } = await createAccount(acme)
  return await post(acme.manager, '/api/contacts/', { last_name: 'Moss', account_id, owner_id: acme.member.userId })
}

/** The lead has a value of an active and one of an inactive custom field, and a duplicate. */
async function createLead(acme: Acme) {
  const keys = [`tier_${++count}`, `region_${count}`] as const
  const definition = { object_type: 'lead', type: 'text' }
  await post(acme.manager, '/api/custom-fields', { ...definition, key: keys[0], label: 'Tier' })
  const hidden = await post(acme.manager, '/api/custom-fields', { ...definition, key: keys[1], label: 'Region' })
  const person = { last_name: 'Moss', company: `Initech ${count}` }
  const custom = { [keys[0]]: 'gold', [keys[1]]: 'north' }
  const lead = await post(acme.manager, '/api/leads/', { ...person, custom, owner_id: acme.member.userId })
  await post(acme.manager, '/api/leads/', person)
  await acme.manager.patch(`/api/custom-fields/${hidden.id}`, { is_active: false })
  return lead
}

/** The company was set by a user, so the one of the email domain is a suggestion. */
async function enrichLead(acme: Acme) {
  const person = { email: `jane.doe@acme-corp${++count}.de`, company: 'ACME' }
  const { id } = await post(acme.member, '/api/leads/', person)
  return (await post(acme.member, `/api/leads/${id}/enrich`, {})) as Json & {
    id: string
    job_id: string
    suggested: { id: string }[]
  }
}

async function createDeal(acme: Acme) {
  const { id: contact_id, account_id } = await createContact(acme)
  const deal = await post(acme.manager, '/api/opportunities/', {
    name: 'Engines',
    account_id,
    close_on: '2030-01-31',
    amount: { amount: '1250.00', currency: 'EUR' },
  })
  await post(acme.manager, `/api/opportunities/${deal.id}/contacts`, { contact_id, role: 'champion' })
  return deal
}

async function createTeam(acme: Acme) {
  const members = [{ user_id: acme.member.userId }, { user_id: acme.manager.userId, role: 'lead' }]
  return await post(acme.admin, '/api/teams/', { name: `Sales ${++count}`, members })
}

const showSession = async (acme: Acme, id: string) => {
  const { items } = await read(acme.admin, '/api/users/admin/active-sessions')
  return findIn(
    items.flatMap(({ sessions }: { sessions: { id: string }[] }) => sessions),
    id,
  )
}
const revokeSession = (acme: Acme, id: string) =>
  acme.sql(`update identity.sessions set revoked_at = now(), revoke_reason = 'logout' where id = $1`, [id])

const contentUrl = '/api/enablement/content/'
const collectionUrl = '/api/enablement/collections/'
const roomUrl = '/api/enablement/rooms/'
const personaUrl = '/api/enablement/coaching/personas'
const scenarioUrl = '/api/enablement/coaching/scenarios/'
const promptUrl = '/api/enablement/pitch/prompts/'
const expertUrl = '/api/enablement/experts/'
const learningUrl = '/api/enablement/learning/paths/'
const threadUrl = '/api/community/threads'

const withoutView = ({ view_id: _, ...item }: Json) => item

export const presentedRecords: Record<string, PresentedRecord> = {
  account: crmRecord('/api/accounts/', createAccount),
  contact: crmRecord('/api/contacts/', createContact),
  lead: crmRecord('/api/leads/', createLead),
  opportunity: crmRecord('/api/opportunities/', createDeal),
  team: crmRecord('/api/teams/', createTeam),
  plg: {
    create: async (acme) => {
      const user_ref = `user-${++count}`
      const event = { event_id: user_ref, name: 'signed_in', user_ref, occurred_at: new Date().toISOString() }
      await post(acme.manager, '/api/tenant/plg/events', { events: [event] })
      const { items } = await read(acme.viewer, `/api/tenant/plg/actors?search=${user_ref}`)
      return items.find(({ ref }: { ref: string }) => ref === user_ref).id
    },
    show: async (acme, id) => findIn((await read(acme.viewer, '/api/tenant/plg/actors')).items, id),
    delete: (acme, id) => acme.manager.delete(`/api/tenant/plg/actors/${id}`),
  },
  custom_field: {
    create: async (acme) =>
      (await post(acme.manager, '/api/custom-fields', { object_type: 'contact', type: 'text', label: `T${++count}` }))
        .id,
    show: async (acme, id) => findIn((await read(acme.viewer, '/api/custom-fields?object_type=contact')).items, id),
    delete: (acme, id) => acme.manager.delete(`/api/custom-fields/${id}`),
  },
  campaign: crmRecord('/api/campaigns/', (acme) =>
    post(acme.manager, '/api/campaigns/', { name: `Spring ${++count}`, type: 'webinar' }),
  ),
  cadence: crmRecord('/api/cadences/', (acme) => post(acme.manager, '/api/cadences/', { name: `Outreach ${++count}` })),
  segment: {
    create: async (acme) => {
      const rules = { field: 'company', op: 'eq', value: 'Initech' }
      return (
        await post(acme.manager, '/api/segments', {
          object_type: 'lead',
          name: `Leads ${++count}`,
          kind: 'dynamic',
          rules,
        })
      ).id
    },
    show: async (acme, id) => findIn((await read(acme.viewer, '/api/segments')).items, id),
    delete: (acme, id) => acme.manager.delete(`/api/segments/${id}`),
  },
  survey: crmRecord('/api/surveys/', (acme) =>
    post(acme.manager, '/api/surveys/', { name: `Feedback ${++count}`, survey_type: 'nps' }),
  ),
  enrichment: {
    create: async (acme) => (await enrichLead(acme)).job_id,
    show: async (acme, id) => findIn((await read(acme.viewer, '/api/enrichment/queue')).items, id),
  },
  enrichment_suggestion: {
    create: async (acme) => (await enrichLead(acme)).suggested[0]!.id,
    show: async (acme, id) => findIn((await read(acme.viewer, '/api/enrichment/suggestions')).items, id),
  },
  content: {
    create: async (acme) => {
      const { id } = await post(acme.manager, contentUrl, { title: 'Pricing', type: 'document', body: 'Prices' })
      await acme.manager.patch(`${contentUrl}${id}`, { status: 'published' })
      return id
    },
    show: async (acme, id) => withoutView(await read(acme.viewer, `${contentUrl}${id}?track=false`)),
    delete: (acme, id) => acme.manager.delete(`${contentUrl}${id}`),
  },
  collection: {
    create: async (acme) => (await post(acme.manager, collectionUrl, { name: `Launch ${++count}` })).id,
    show: async (acme, id) => findIn((await read(acme.viewer, collectionUrl)).items, id),
    delete: (acme, id) => acme.manager.delete(`${collectionUrl}${id}`),
  },
  room: {
    create: async (acme) => (await post(acme.manager, roomUrl, { name: `Initech ${++count}` })).id,
    show: async (acme, id) => findIn((await read(acme.viewer, roomUrl)).items, id),
    delete: (acme, id) => acme.manager.delete(`${roomUrl}${id}`),
  },
  pitch_prompt: {
    async create(acme) {
      const criteria = [{ key: 'next_step', name: 'Next step', weight: 1, kind: 'next_step' }]
      const { id } = await post(acme.manager, promptUrl, { title: 'Elevator pitch', criteria })
      await acme.manager.patch(`${promptUrl}${id}`, { status: 'active' })
      return id
    },
    show: async (acme, id) => findIn((await read(acme.viewer, promptUrl)).items, id),
    delete: (acme, id) => acme.manager.delete(`${promptUrl}${id}`),
  },
  learning_path: {
    async create(acme) {
      const { id } = await post(acme.manager, learningUrl, { title: 'Product basics', type: 'product' })
      await post(acme.manager, `${learningUrl}${id}/modules`, { title: 'Read', kind: 'content', body: 'Read this.' })
      await acme.manager.patch(`${learningUrl}${id}`, { status: 'published' })
      return id
    },
    show: async (acme, id) => findIn((await read(acme.viewer, learningUrl)).items, id),
    delete: (acme, id) => acme.manager.delete(`${learningUrl}${id}`),
  },
  expert: {
    create: async (acme) => {
      const { userId: user_id } = await acme.person('member')
      return (await post(acme.manager, expertUrl, { user_id, topics: ['pricing'] })).id
    },
    show: async (acme, id) => findIn((await read(acme.viewer, expertUrl)).items, id),
    delete: (acme, id) => acme.manager.delete(`${expertUrl}${id}`),
  },
  coaching_persona: {
    create: async (acme) =>
      (await post(acme.manager, personaUrl, { name: `Buyer ${++count}`, job_title: 'CTO', style: 'driver' })).id,
    show: async (acme, id) => findIn((await read(acme.viewer, personaUrl)).items, id),
    delete: (acme, id) => acme.manager.delete(`${personaUrl}/${id}`),
  },
  coaching_scenario: {
    async create(acme) {
      const fields = { name: `Buyer ${++count}`, job_title: 'CTO', style: 'driver' }
      const { id: persona_id } = await post(acme.manager, personaUrl, fields)
      const rubric = [{ key: 'next_step', name: 'Next step', weight: 1, kind: 'next_step' }]
      const scenario = { title: 'First call', type: 'discovery', rubric, persona_id }
      const { id } = await post(acme.manager, scenarioUrl, scenario)
      await acme.manager.patch(`${scenarioUrl}${id}`, { status: 'published' })
      return id
    },
    show: (acme, id) => read(acme.viewer, `${scenarioUrl}${id}`),
    delete: (acme, id) => acme.manager.delete(`${scenarioUrl}${id}`),
  },
  community: {
    async create(acme) {
      const { id: room_id } = await post(acme.manager, roomUrl, { name: `Forum ${++count}`, room_type: 'community' })
      await acme.manager.patch(`${roomUrl}${room_id}`, { status: 'active' })
      return (await post(acme.member, threadUrl, { room_id, title: 'Welcome', body: `Hello ${count}` })).id
    },
    show: (acme, id) => read(acme.viewer, `${threadUrl}/${id}`),
    delete: (acme, id) => acme.manager.delete(`${threadUrl}/${id}`),
  },
  scoring: {
    create: async (acme) => acme.id,
    show: (acme) => read(acme.viewer, '/api/leads/scoring-config'),
  },
  user: {
    create: async (acme) => (await acme.person('member')).userId,
    show: (acme, id) => read(acme.admin, `/api/users/${id}`),
  },
  session: {
    create: async (acme) => (await acme.person('member')).sessionId,
    show: showSession,
    delete: revokeSession,
  },
  impersonation: {
    create: async (acme) => {
      const { userId } = await acme.person('member')
      const admin = await acme.person('admin')
      const started = await post(admin, `/api/users/${userId}/impersonate`, { reason: 'A list stays empty.' })
      return started.session_id as string
    },
    show: showSession,
    delete: revokeSession,
  },
  api_key: {
    create: async (acme) => (await post(acme.admin, '/api/api-keys', { name: 'Form', scopes: ['leads.write'] })).id,
    show: (acme, id) => read(acme.admin, `/api/api-keys/${id}`),
  },
  connected_app: {
    create: async (acme) => (await post(acme.admin, '/api/connected-apps', { name: `Form ${++count}` })).id,
    show: (acme, id) => read(acme.admin, `/api/connected-apps/${id}`),
    delete: (acme, id) => acme.admin.delete(`/api/connected-apps/${id}`),
  },
  webhook_endpoint: {
    create: async (acme) =>
      (await post(acme.manager, '/api/webhooks', { url: 'http://127.0.0.1:9/in?token=x', event_types: ['*'] })).id,
    show: (acme, id) => read(acme.viewer, `/api/webhooks/${id}`),
    delete: (acme, id) => acme.manager.delete(`/api/webhooks/${id}`),
  },
  backup: {
    async create(acme) {
      const { backup_id } = await post(acme.admin, '/api/admin/backups', {})
      await acme.sql(`update operations.backups set state = 'failed', error = 'Interrupted' where id = $1`, [backup_id])
      return backup_id as string
    },
    show: async (acme, id) => findIn((await read(acme.admin, '/api/admin/backup-status')).items, id),
  },
}
