import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTenantSchedule, waitUntil } from '#testing'
import { processMarksSchedule } from '../maintenance/process-marks.jobs.ts'
import { actorsUrl, findActor, sendEvents, startUsageApp, usageEvent } from '../plg.fixture.ts'

const { tenant, services, systemDb, startTestWorker } = await startUsageApp()
await startTestWorker()

const processMarks = () => runTenantSchedule({ db: services.db, systemDb }, processMarksSchedule(services))

test('engagement-3-10 a person with the email address of a contact is linked to it, until the contact is deleted', async () => {
  const acme = await tenant()
  const account = (await acme.member.post('/api/accounts/', { name: 'Acme', domain: 'acme.example' })).body
  const contact = (
    await acme.member.post('/api/contacts/', {
      last_name: 'Moss',
      email: 'Jo.Moss@acme.example',
      account_id: account.id,
    })
  ).body
  const other = (await acme.member.post('/api/contacts/', { last_name: 'Other' })).body
  await sendEvents(acme.manager, usageEvent({ user_ref: 'u1', user: { email: 'jo.moss@ACME.example' } }))
  await processMarks()
  const linked = await findActor(acme, 'u1')

  assert.deepEqual([linked.contact?.id, linked.account?.id, linked.link_method], [contact.id, account.id, 'email'])

  const manual = await acme.manager.patch(`${actorsUrl}/${linked.id}`, { contact_id: other.id })
  await sendEvents(acme.manager, usageEvent({ user_ref: 'u1', user: { email: 'jo.moss@acme.example', name: 'Jo' } }))
  await processMarks()
  const kept = await findActor(acme, 'u1')
  assert.deepEqual([manual.status, kept.contact.id, kept.link_locked, kept.name], [200, other.id, true, 'Jo'])

  await acme.manager.delete(`/api/contacts/${other.id}`)
  await waitUntil(async () => (await findActor(acme, 'u1')).contact === null)
  const foreign = await tenant()
  const foreignContact = (await foreign.member.post('/api/contacts/', { last_name: 'Foreign' })).body
  const unknown = await acme.manager.patch(`${actorsUrl}/${linked.id}`, { contact_id: foreignContact.id })
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'unknown_reference'])
})

test('links follow later changes of the CRM', async () => {
  const acme = await tenant()
  await sendEvents(acme.manager, usageEvent({ user_ref: 'ada@engines.example' }))
  await processMarks()
  assert.equal((await findActor(acme, 'ada@engines.example')).lead, null)
  const untilLinked = async (isDone: (actor: Record<string, { id: string } | null>) => boolean) => {
    for (let n = 0; n < 100; n++) {
      await processMarks()
      const actor = await findActor(acme, 'ada@engines.example')
      if (isDone(actor)) return actor
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    assert.fail('The link did not change.')
  }

  const lead = (
    await acme.member.post('/api/leads/', { last_name: 'King', email: 'Ada@engines.example', company: 'Engines' })
  ).body
  await untilLinked((actor) => actor.lead?.id === lead.id)

  const { body: converted } = await acme.member.post(`/api/leads/${lead.id}/convert`, {})
  const actor = await untilLinked((found) => found.contact !== null)
  assert.deepEqual([actor.contact!.id, actor.lead], [converted.contact.id, null])

  await acme.manager.delete(`/api/contacts/${actor.contact!.id}`)
  await untilLinked((found) => found.contact === null)
})

test('a product account is linked by its domain or that of its people, and people without a contact follow it', async () => {
  const acme = await tenant()
  const account = (await acme.member.post('/api/accounts/', { name: 'Acme', domain: 'acme.example' })).body
  await sendEvents(
    acme.manager,
    usageEvent({ user_ref: 'a@acme.example', account_ref: 'team-1' }),
    usageEvent({ user_ref: 'b@acme.example', account_ref: 'team-1' }),
    usageEvent({ user_ref: 'c@gmail.com', account_ref: 'team-1' }),
    usageEvent({ user_ref: 'd', account_ref: 'team-2', account: { domain: 'ACME.example' } }),
    usageEvent({ user_ref: 'e@gmail.com', account_ref: 'team-3' }),
  )
  await processMarks()

  const accountOf = async (ref: string) => (await findActor(acme, ref)).account?.id ?? null
  assert.deepEqual(
    await Promise.all(['team-1', 'team-2', 'team-3', 'a@acme.example', 'd', 'e@gmail.com'].map(accountOf)),
    [account.id, account.id, null, account.id, account.id, null],
  )
})

test('active days of linked people are logged once per day', async () => {
  const acme = await tenant()
  const lead = (await acme.member.post('/api/leads/', { last_name: 'King', email: 'ada@engines.example' })).body
  const send = () => sendEvents(acme.manager, usageEvent({ user_ref: 'ada@engines.example' }))
  await send()
  await processMarks()
  await send()
  await processMarks()

  const { items } = (await acme.member.get(`/api/leads/${lead.id}/activities?type=product_used`)).body
  assert.deepEqual(
    items.map(({ type, source }: Record<string, unknown>) => [type, source]),
    [['product_used', 'system']],
  )
})

test('people and accounts are listed, searched and filtered', async () => {
  const acme = await tenant()
  await acme.member.post('/api/leads/', { last_name: 'King', email: 'ada@engines.example' })
  await sendEvents(
    acme.manager,
    usageEvent({ user_ref: 'ada@engines.example', user: { name: 'Ada Lovelace' }, account_ref: 'team-1' }),
    usageEvent({ user_ref: 'u2', user: { name: 'Zoë Quick' } }),
  )
  await processMarks()
  const refsOf = async (query: string) =>
    (await acme.viewer.get(`${actorsUrl}?${query}`)).body.items.map(({ ref }: { ref: string }) => ref).sort()

  assert.deepEqual(await refsOf(''), ['ada@engines.example', 'team-1', 'u2'])
  assert.deepEqual(await refsOf('kind=account'), ['team-1'])
  assert.deepEqual(await refsOf('linked=true'), ['ada@engines.example'])
  assert.deepEqual(await refsOf('linked=false&kind=person'), ['u2'])
  assert.deepEqual(await refsOf('search=love%20ada'), ['ada@engines.example'])
  assert.deepEqual(await refsOf('search=zoe'), ['u2'])
  assert.deepEqual(await refsOf('qualified=true'), [])
  assert.deepEqual(await refsOf('qualified=false&kind=person'), ['ada@engines.example', 'u2'])
  const first = await acme.viewer.get(`${actorsUrl}?limit=2`)
  const second = await acme.viewer.get(`${actorsUrl}?limit=2&cursor=${first.body.next_cursor}`)
  assert.deepEqual([first.body.total, first.body.items.length, second.body.items.length], [3, 2, 1])
})

test('the address of a linked person without a name is not shown to callers who may only read usage', async () => {
  const acme = await tenant()
  await acme.member.post('/api/leads/', { company: 'Engines', email: 'ada@engines.example' })
  await acme.member.post('/api/contacts/', { email: 'bob@engines.example' })
  const toEvent = (user_ref: string, email: string) => usageEvent({ user_ref, user: { email } })
  await sendEvents(acme.manager, toEvent('u1', 'ada@engines.example'), toEvent('u2', 'bob@engines.example'))
  await processMarks()
  const { body: key } = await acme.viewer.post('/api/api-keys', { name: 'Usage', scopes: ['plg.read'] })
  const namesFor = async (reader: Pick<typeof acme.viewer, 'get'>) =>
    (await reader.get(actorsUrl)).body.items
      .map(({ lead, contact }: Record<string, { name: string } | null>) => (lead ?? contact)?.name)
      .sort()

  assert.deepEqual(await namesFor(acme.viewer), ['ada@engines.example', 'bob@engines.example'])
  assert.deepEqual(await namesFor(acme.bearer(`ApiKey ${key.key}`)), ['', 'Engines'])
})

test('a person has a timeline, and is erased without changing the numbers', async () => {
  const acme = await tenant()
  const events = Array.from({ length: 60 }, (_, n) =>
    usageEvent({
      user_ref: 'secret-person',
      properties: { n, note: 'secret-note' },
      user: { name: 'Secret Name', email: 'secret@person.example' },
    }),
  )
  await sendEvents(acme.manager, ...events)
  await processMarks()
  const { id } = await findActor(acme, 'secret-person')
  const url = `${actorsUrl}/${id}`
  const details = (await acme.viewer.get(url)).body
  const older = (await acme.viewer.get(`${url}?events_cursor=${details.next_events_cursor}`)).body

  assert.deepEqual([details.events.length, older.events.length, details.active_days_in_30], [50, 10, 1])
  assert.equal(new Set([...details.events, ...older.events].map(({ event_id }) => event_id)).size, 60)
  assert.deepEqual([(await acme.member.delete(url)).status, (await acme.manager.delete(url)).status], [403, 204])
  assert.equal((await acme.viewer.get(url)).status, 404)
  const { rows } = await acme.sql(
    `select count(*)::int as n from (
      select a::text from plg.actors a where tenant_id = $1 union all select e::text from plg.events e where tenant_id = $1
      union all select t::text from plg.actor_texts t where tenant_id = $1 union all select m::text from plg.actor_event_days m where tenant_id = $1) as r (line)
     where line ilike '%secret%'`,
    [acme.id],
  )
  assert.equal(rows[0].n, 0)
  const dashboard = (await acme.viewer.get('/api/tenant/plg/dashboard')).body
  assert.deepEqual([dashboard.active.dau, dashboard.events.total], [1, 60])
  const foreign = await tenant()
  assert.equal((await foreign.viewer.get(url)).status, 404)
})

test('event names are listed with their numbers', async () => {
  const acme = await tenant()
  await acme.manager.put('/api/tenant/plg/settings', { inactive_events: ['app.ping'] })
  await sendEvents(
    acme.manager,
    usageEvent({ name: 'app.ping' }),
    usageEvent({ name: 'app.open' }),
    usageEvent({ name: 'app.open', user_ref: 'u2' }),
    usageEvent({ name: 'Zoom' }),
  )
  const list = async (query: string) =>
    (await acme.viewer.get(`/api/tenant/plg/event-names?${query}`)).body.items.map((item: Record<string, unknown>) => [
      item.name,
      item.events_in_30_days,
      item.people_in_30_days,
      item.inactive,
    ])

  assert.deepEqual(await list(''), [
    ['Zoom', 1, 1, false],
    ['app.open', 2, 2, false],
    ['app.ping', 1, 1, true],
  ])
  assert.deepEqual(await list('search=app.p'), [['app.ping', 1, 1, true]])
  assert.deepEqual((await acme.viewer.get('/api/tenant/plg/event-names?limit=1')).body.items.length, 1)
})
