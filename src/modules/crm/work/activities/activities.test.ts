import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'

const { tenant, clock } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
type Entry = { id: string; type: string; subject: string | null }

const leadsUrl = '/api/leads/'
const createLead = async (acme: Acme, lead: object = { last_name: 'Moss' }) =>
  (await acme.member.post(leadsUrl, lead)).body
const activitiesUrl = ({ id }: { id: string }) => `${leadsUrl}${id}/activities`
const read = async (acme: Acme, { id }: { id: string }) => (await acme.member.get(`${leadsUrl}${id}`)).body
const minutesAgo = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000).toISOString()
const logged = (entries: Entry[]) => entries.filter(({ type }) => !type.endsWith('_changed')).map(({ id }) => id)

test('crm-1-11 a logged call counts as a response within the SLA', async () => {
  const acme = await tenant()
  const lead = await createLead(acme)

  const call = await acme.member.post(activitiesUrl(lead), { type: 'call', subject: 'Hello', outcome: 'connected' })

  assert.equal(call.status, 201)
  assert.partialDeepStrictEqual(call.body, {
    lead_id: lead.id,
    contact_id: null,
    type: 'call',
    direction: 'out',
    subject: 'Hello',
    body: null,
    outcome: 'connected',
    actor_type: 'user',
    actor: { id: acme.member.userId, name: acme.member.name },
    assignee: null,
    source: 'manual',
    external_id: null,
    meta: {},
    version: 1,
  })
  const answered = await read(acme, lead)
  assert.partialDeepStrictEqual(answered, {
    status: 'contacted',
    sla_status: 'met',
    first_responded_at: call.body.occurred_at,
    first_responder_id: acme.member.userId,
    last_activity_at: call.body.occurred_at,
    last_engaged_at: null,
  })
  assert.ok(answered.engagement_score > lead.engagement_score)
  const events = await acme.events()
  for (const type of ['lead.activity_logged', 'lead.status_changed']) assert.ok(events.includes(type), type)
  assert.ok((await acme.audit()).includes('activity.created'))
})

test('automated activities and notes are not responses, unless the workspace counts automated ones', async () => {
  const acme = await tenant()
  const [lead, other] = [await createLead(acme), await createLead(acme)]

  for (const activity of [{ type: 'email', automated: true }, { type: 'note' }, { type: 'call', direction: 'in' }])
    assert.equal((await acme.member.post(activitiesUrl(lead), activity)).status, 201)

  assert.partialDeepStrictEqual(await read(acme, lead), {
    status: 'new',
    first_responded_at: null,
    sla_status: 'pending',
  })
  const settings = { sla: { count_automated: true } }
  assert.equal((await acme.manager.put('/api/leads/settings', settings)).status, 200)
  const automated = await acme.member.post(activitiesUrl(other), { type: 'email', automated: true })
  assert.equal(automated.body.actor_type, 'automation')
  const counted = await read(acme, other)
  assert.deepEqual([counted.status, counted.first_responded_at], ['new', automated.body.occurred_at])
})

test('a reply moves the lead to working, and no activity moves it back', async () => {
  const acme = await tenant()
  const answers = [{ type: 'email_replied' }, { type: 'email', direction: 'in' }, { type: 'meeting', outcome: 'held' }]

  for (const answer of answers) {
    for (const status of ['new', 'contacted', 'nurturing']) {
      const lead = await createLead(acme, { last_name: 'Moss', status })
      const { body } = await acme.member.post(activitiesUrl(lead), answer)
      const changed = await read(acme, lead)
      assert.equal(changed.status, 'working', `${status} ${answer.type}`)
      if (body.direction === 'in') assert.equal(changed.last_engaged_at, body.occurred_at)
    }
  }
  const qualified = await createLead(acme, { last_name: 'Moss', status: 'qualified' })
  await acme.member.post(activitiesUrl(qualified), { type: 'email_replied' })
  await acme.member.post(activitiesUrl(qualified), { type: 'call' })
  assert.equal((await read(acme, qualified)).status, 'qualified')
  const bounced = await createLead(acme)
  await acme.member.post(activitiesUrl(bounced), { type: 'email_bounced' })
  assert.partialDeepStrictEqual(await read(acme, bounced), { status: 'new', last_engaged_at: null })
})

test('the earliest response counts, even if it is logged last', async () => {
  const acme = await tenant()
  const lead = await createLead(acme)
  await acme.sql(`update crm.leads set created_at = now() - interval '1 hour' where id = $1`, [lead.id])

  const later = await acme.member.post(activitiesUrl(lead), { type: 'call', occurred_at: minutesAgo(10) })
  const first = await acme.manager.post(activitiesUrl(lead), { type: 'email', occurred_at: minutesAgo(30) })
  const early = await acme.member.post(activitiesUrl(lead), { type: 'call', occurred_at: minutesAgo(600) })

  const answered = await read(acme, lead)
  assert.equal(answered.last_activity_at, later.body.occurred_at)
  assert.equal(answered.first_responded_at, answered.created_at, 'a response is never earlier than the lead')
  await acme.member.delete(`${activitiesUrl(lead)}/${early.body.id}`)
  assert.partialDeepStrictEqual(await read(acme, lead), {
    first_responded_at: first.body.occurred_at,
    first_responder_id: acme.manager.userId,
  })
})

test('concurrent calls count as one first response', async () => {
  const acme = await tenant()
  const lead = await createLead(acme)

  const calls = await Promise.all(
    [acme.member, acme.manager, acme.admin].map((user) => user.post(activitiesUrl(lead), { type: 'call' })),
  )

  assert.deepEqual(
    calls.map(({ status }) => status),
    [201, 201, 201],
  )
  const first = calls.map(({ body }) => body.occurred_at).sort()[0]
  assert.deepEqual([(await read(acme, lead)).first_responded_at, (await read(acme, lead)).status], [first, 'contacted'])
  assert.equal((await acme.events()).filter((type) => type === 'lead.status_changed').length, 1)
})

test('the timeline is sorted newest first, and pages neither repeat nor skip activities', async () => {
  const acme = await tenant()
  const lead = await createLead(acme)
  const at = minutesAgo(5)
  const ids: string[] = []
  for (const occurred_at of [minutesAgo(60), at, at, at, minutesAgo(1)])
    ids.push((await acme.member.post(activitiesUrl(lead), { type: 'note', occurred_at })).body.id)
  const newestFirst = ids.toReversed()

  const whole = (await acme.member.get(activitiesUrl(lead))).body
  const paged: string[] = []
  for (let url = `${activitiesUrl(lead)}?limit=2&type=note`; url; ) {
    const { body, headers } = await acme.member.get(url)
    paged.push(...body.items.map(({ id }: Entry) => id))
    url = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1] ?? ''
  }

  assert.deepEqual(logged(whole.items), newestFirst)
  assert.deepEqual(paged, newestFirst)
  const between = await acme.member.get(`${activitiesUrl(lead)}?type=note&from=${minutesAgo(30)}&to=${minutesAgo(2)}`)
  assert.deepEqual(logged(between.body.items), newestFirst.slice(1, 4))
  assert.equal(between.body.total, 3)
  const { next_cursor } = (await acme.member.get(`${activitiesUrl(lead)}?limit=1`)).body
  const elsewhere = await acme.member.get(`${activitiesUrl(await createLead(acme))}?cursor=${next_cursor}`)
  assert.deepEqual([elsewhere.status, elsewhere.body.errors[0].path], [422, '/cursor'])
})

test('an invalid activity is rejected with the path of the problem', async () => {
  const acme = await tenant()
  const lead = await createLead(acme)
  const getError = async (activity: object) => {
    const { status, body } = await acme.member.post(activitiesUrl(lead), activity)
    return [status, body.code, body.errors?.[0]?.path]
  }

  const ahead = new Date(clock.now().getTime() + 6 * 60_000).toISOString()
  assert.deepEqual(await getError({ type: 'status_changed' }), [422, 'validation_failed', '/type'])
  assert.deepEqual(await getError({ type: 'email_sent' }), [422, 'validation_failed', '/type'])
  assert.deepEqual(await getError({ type: 'call', occurred_at: ahead }), [422, 'validation_failed', '/occurred_at'])
  assert.deepEqual(await getError({ type: 'call', outcome: 'held' }), [422, 'validation_failed', '/outcome'])
  assert.deepEqual(await getError({ type: 'meeting', outcome: 'busy' }), [422, 'validation_failed', '/outcome'])
  assert.deepEqual(await getError({ type: 'call', duration_seconds: 86_401 }), [
    422,
    'validation_failed',
    '/duration_seconds',
  ])
  assert.deepEqual(await getError({ type: 'note', meta: { text: 'x'.repeat(8_200) } }), [
    422,
    'validation_failed',
    '/meta',
  ])
  assert.deepEqual(await getError({ type: 'task', assignee_id: newId() }), [422, 'unknown_reference', '/assignee_id'])
  assert.deepEqual(await getError({ type: 'note', occurred_at: '2026-01-01T23:59:60Z' }), [
    422,
    'validation_failed',
    '/occurred_at',
  ])
  for (const meta of [{ 'a\0b': 1 }, { '\ud800': 1 }, { a: [{ '\0': 1 }] }]) {
    const [status, code, path = ''] = await getError({ type: 'note', meta })
    assert.deepEqual([status, code, path.split('/')[1]], [422, 'validation_failed', 'meta'])
  }
  assert.deepEqual(await getError({ type: 'note', score: 1 }), [422, 'validation_failed', '/score'])
  assert.equal((await acme.member.post(activitiesUrl(lead), { type: 'task', due_at: ahead })).status, 201)
  assert.equal((await acme.viewer.post(activitiesUrl(lead), { type: 'note' })).status, 403)
})

test('times that PostgreSQL cannot read are rejected as a filter of the timeline', async () => {
  const acme = await tenant()
  const lead = await createLead(acme)
  const statusOf = async (name: string, time: string) =>
    (await acme.member.get(`${activitiesUrl(lead)}?${name}=${encodeURIComponent(time)}`)).status

  for (const name of ['from', 'to']) {
    for (const time of ['2026-01-01T00:00:00+16:00', '2016-12-31T23:59:60.5Z', '2026-02-30T00:00:00Z', '2026-01-01'])
      assert.equal(await statusOf(name, time), 422, `${name}=${time}`)
    for (const time of ['2026-01-01T00:00:00+15:59', '1900-01-01T00:00:00-15:59', '2199-12-31T23:59:59.999999999Z'])
      assert.equal(await statusOf(name, time), 200, `${name}=${time}`)
  }
})

test('an external id is logged once, even by concurrent requests', async () => {
  const acme = await tenant()
  const lead = await createLead(acme)
  const activity = { type: 'email_clicked', external_id: 'click-1' }

  const answers = await Promise.all([
    acme.member.post(activitiesUrl(lead), activity),
    acme.member.post(activitiesUrl(lead), activity),
  ])
  const [made, refused] = answers.toSorted((one, other) => one.status - other.status)
  const again = await acme.member.post(activitiesUrl(await createLead(acme)), activity)

  assert.deepEqual([made!.status, refused!.status], [201, 409])
  for (const { body } of [refused!, again])
    assert.deepEqual([body.code, body.existing_id], ['already_exists', made!.body.id])
  assert.equal((await acme.member.get(`${activitiesUrl(lead)}?type=email_clicked`)).body.total, 1)
})

test('timelines of another workspace return 404', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const [own, foreign] = [await createLead(acme), await createLead(other)]
  const entry = (await other.member.post(activitiesUrl(foreign), { type: 'note' })).body

  const answers = [
    await acme.admin.get(activitiesUrl(foreign)),
    await acme.admin.post(activitiesUrl(foreign), { type: 'note' }),
    await acme.admin.patch(`${activitiesUrl(foreign)}/${entry.id}`, { subject: 'Mine' }),
    await acme.admin.patch(`${activitiesUrl(own)}/${entry.id}`, { subject: 'Mine' }),
    await acme.admin.delete(`${activitiesUrl(own)}/${entry.id}`),
    await acme.admin.get(`/api/contacts/${foreign.id}/activities`),
    await acme.admin.get(`/api/accounts/${newId()}/activities`),
    await acme.admin.get(`/api/opportunities/${newId()}/activities`),
  ]

  for (const { status, body } of answers) assert.deepEqual([status, body.code], [404, 'not_found'])
})
