import assert from 'node:assert/strict'
import { newId } from '#platform/ids'
import type { Random } from '#platform/module'
import type { TestApp, Workspace } from './background.ts'
import type { ModelCadence, ModelPerson, OutreachModel } from './model.ts'

/** The ids of the records of one history: two leads and a contact. The first lead and the contact have the same address at first. */
export type Group = { leadIds: [string, string]; contactId: string }

export const windows: ModelCadence['window'][] = [
  { days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' },
  { days: [1, 2, 3, 4, 5, 6, 7], start: '09:00', end: '17:00' },
  { days: [1, 2, 3, 4, 5], start: '08:30', end: '12:00' },
]

const email = (n: number, more: object = {}) => ({
  type: 'email_auto',
  delay_days: n && 1,
  delay_hours: 0,
  business_days: false,
  subject_template: `Step ${n + 1}`,
  body_template: 'Hello {{ first_name | there }}',
  reply_in_thread: false,
  ...more,
})
const call = { type: 'call', delay_days: 0, delay_hours: 2, business_days: false, auto_skip_after_days: 1 }

/** Steps of the cadences. The last email of the second one cannot be rendered for half of the persons. */
const stepsOfCadences = [
  [email(0), email(1), email(2)],
  [email(0), call, email(1), email(2, { body_template: 'About {{ company }}' })],
]

export async function createOutreachWorkspace(app: TestApp, model: OutreachModel, random: Random, options: Options) {
  const acme = await app.tenant()
  await acme.admin.patch('/api/admin/settings', { general: { timezone: options.timezone } })
  const senders = [await acme.person('member'), await acme.person('member')]
  const groups = await insertGroups(acme, model, options)
  const campaign = (await acme.manager.post('/api/campaigns/', { name: 'Spring', type: 'email' })).body
  await acme.manager.patch(`/api/campaigns/${campaign.id}`, { status: 'active' })
  const settings = {
    from_address: 'sales@acme.example',
    postal_address: '1 Main Street',
    max_live_cadences_per_person: 2,
  }
  const limits = { daily_limit_per_sender: options.groups, daily_limit_tenant: Math.ceil(options.groups * 1.5) }
  const response = await acme.manager.put('/api/leads/settings', { sending: { ...settings, ...limits } })
  assert.equal(response.status, 200, JSON.stringify(response.body))
  model.setLimits(limits.daily_limit_per_sender, limits.daily_limit_tenant, app.clock.now())

  for (const [index, steps] of stepsOfCadences.entries()) {
    const window = random.pick(windows)
    const input = { name: `Cadence ${index}`, steps, window, timezone_mode: 'fixed', owner_id: acme.manager.userId }
    const created = await acme.manager.post('/api/cadences/', { ...input, campaign_id: index ? null : campaign.id })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const { status, body } = await acme.manager.patch(`/api/cadences/${created.body.id}`, { status: 'active' })
    assert.equal(status, 200, JSON.stringify(body))
    model.addCadence({ id: created.body.id, status: 'active', pausedBy: null, window })
  }

  const users = { admin: acme.admin, manager: acme.manager }
  return {
    ...acme,
    users,
    groups,
    senders,
    campaignId: campaign.id as string,
    cadenceIds: [...model.state.cadences.keys()],
    sending: settings,
    /** Access tokens are valid for 15 minutes of the clock. */
    async signInAgain() {
      for (const role of ['admin', 'manager'] as const)
        users[role] = { ...users[role], ...(await acme.signIn(acme[role].userId)) }
    },
  }
}

type Options = { groups: number; timezone: string; name: string }
export type OutreachWorkspace = Awaited<ReturnType<typeof createOutreachWorkspace>>

async function insertGroups(acme: Workspace, model: OutreachModel, { groups: count, name }: Options): Promise<Group[]> {
  const addPerson = (kind: ModelPerson['kind'], address: string) => {
    const id = newId()
    model.addPerson({ id, kind, address, isGone: false })
    return id
  }
  const groups = Array.from({ length: count }, (_, n): Group => {
    const [own, other] = [`p${n}@${name}.example`, `q${n}@${name}.example`]
    return { leadIds: [addPerson('lead', own), addPerson('lead', other)], contactId: addPerson('contact', own) }
  })
  const persons = [...model.state.persons.values()]
  const columnsOf = (kind: ModelPerson['kind']) => {
    const ofKind = persons.filter((person) => person.kind === kind)
    return [acme.id, ofKind.map(({ id }) => id), ofKind.map(({ address }) => address)]
  }
  await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, email, company, phone, source, search_text, created_at, created_on)
     select $1, id, 'Moss', email, case when email like 'p%' then 'Initech' end, '+4930123456', 'import', ' moss', now(), current_date
     from unnest($2::uuid[], $3::text[]) as lead (id, email)`,
    columnsOf('lead'),
  )
  await acme.sql(
    `insert into crm.contacts (tenant_id, id, last_name, email, phone, source, search_text)
     select $1, id, 'Moss', email, '+4930123456', 'manual', ' moss' from unnest($2::uuid[], $3::text[]) as contact (id, email)`,
    columnsOf('contact'),
  )
  return groups
}
