import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countStatements, startTestApp, waitForTask, waitUntil } from '#testing'
import {
  type Acme,
  addContact,
  addContacts,
  bulkUpdate,
  contactsUrl,
  type Outcome,
  outcomesOf,
  readContact,
} from './contact-bulk.fixture.ts'
import { BulkContactsRequest } from './contact-bulk.schemas.ts'
import { contactBulkActionPoint } from './contact-bulk-kind.ts'

const { tenant, services, startTestWorker } = await startTestApp()

/** All that an update leaves, without ids and times of the contact. */
async function recordsOf(acme: Acme, id: string) {
  const list = async (text: string) => (await acme.sql(text, [id])).rows.map(({ line }) => line)
  const { id: _, created_at, updated_at, ...contact } = await readContact(acme, id)
  return {
    contact,
    events: await list(
      `select type || data::text as line from platform.outbox_events where subject_id = $1 and type <> 'contact.created' order by id`,
    ),
    audit: await list(
      `select action || changes::text as line from platform.audit_log where resource_id = $1::uuid and action <> 'contact.created' order by id`,
    ),
    provenance: await list(
      `select concat_ws(' ', field, source) as line from crm.field_provenance where entity_id = $1 order by field`,
    ),
    tags: await list('select tag as line from crm.record_tags where record_id = $1 order by tag'),
  }
}

test('owners and tags of contacts are changed as by single updates, each contact on its own', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const [alone, together, full] = await addContacts(acme, 3, { tags: ['old', 'kept'] })
  const foreign = await addContact(other)
  await acme.member.patch(`${contactsUrl}${full}`, { tags: Array.from({ length: 49 }, (_, n) => `t${n}`) })
  const owner_id = acme.manager.userId
  const contact_ids = [together, full, foreign.id, together]

  await acme.member.patch(`${contactsUrl}${alone}`, { tags: ['old', 'kept', 'fair', 'vip'] })
  const added = await bulkUpdate(acme, { action: 'add_tags', contact_ids, params: { tags: ['fair', 'kept', 'vip'] } })
  await acme.member.patch(`${contactsUrl}${alone}`, { tags: ['kept', 'vip'] })
  const tags = ['old', 'fair', 'unknown']
  const removed = await bulkUpdate(acme, { action: 'remove_tags', contact_ids: [together, full], params: { tags } })
  await acme.member.patch(`${contactsUrl}${alone}`, { owner_id })
  const assigned = await bulkUpdate(acme, { action: 'assign', contact_ids: [together], params: { owner_id } })
  const again = await bulkUpdate(acme, { action: 'assign', contact_ids: [together], params: { owner_id } })

  assert.deepEqual(
    added.body.results.map(({ contact_id, code, outcome }: Outcome) => [contact_id, code ?? outcome]),
    [
      [together, 'ok'],
      [full, 'validation_failed'],
      [foreign.id, 'not_found'],
    ],
  )
  assert.partialDeepStrictEqual(added.body, { action: 'add_tags', total: 3, succeeded: 1, unchanged: 0, failed: 2 })
  assert.deepEqual([removed, assigned, again].map(outcomesOf), [['ok', 'unchanged'], ['ok'], ['unchanged']])
  assert.deepEqual(await recordsOf(acme, together!), await recordsOf(acme, alone!))
  assert.deepEqual((await other.member.get(`${contactsUrl}${foreign.id}`)).body.tags, [])
})

test('contacts are distributed evenly, also by a task in several batches', async () => {
  const acme = await tenant()
  await acme.sql(
    `insert into crm.contacts (tenant_id, id, last_name, name_key, source, search_text, created_at, updated_at)
     select $1, gen_random_uuid(), 'Moss', 'moss', 'manual', ' moss', now(), now() from generate_series(1, 260)`,
    [acme.id],
  )
  const people = [await acme.person('member'), await acme.person('member'), await acme.person('manager')]
  const worker = await startTestWorker()
  const params = { distribute_to: people.map(({ userId }) => userId) }

  const { body } = await bulkUpdate(acme, { action: 'assign', query: {}, expected_count: 260, params })
  const { result } = await waitForTask(acme, body, 20)
  await worker.stop()

  assert.partialDeepStrictEqual([body, result], [{ total: 260 }, { succeeded: 260, failed: 0, failures: [] }])
  const { rows } = await acme.sql(
    'select count(*)::integer as contacts from crm.contacts where tenant_id = $1 group by owner_id order by 1 desc',
    [acme.id],
  )
  assert.deepEqual(
    rows.map(({ contacts }) => contacts),
    [87, 87, 86],
  )
})

test('the query of a bulk action selects the contacts of the list, and nothing changes if their number is another', async () => {
  const acme = await tenant()
  const { body: account } = await acme.member.post('/api/accounts/', { name: 'Initech' })
  const match = { account_id: account.id, lifecycle_stage: 'customer', tags: ['vip'], first_name: 'Ada' }
  const wanted = await addContact(acme, match)
  for (const other of [{ account_id: null }, { lifecycle_stage: 'lead' }, { tags: [] }, { first_name: 'Bea' }])
    await addContact(acme, { ...match, ...other })
  await addContact(acme, { ...match, owner_id: acme.manager.userId })
  const query = { account_id: account.id, lifecycle_stage: ['customer'], tag: 'vip', search: 'ada', owner_id: 'me' }
  const run = (expected_count: number) =>
    bulkUpdate(acme, { action: 'add_tags', query, expected_count, params: { tags: ['fair'] } })

  const wrong = await run(2)
  const untouched = (await readContact(acme, wanted.id)).tags
  const right = await run(1)
  const parts = Object.entries(query).map(async ([name, value]) => {
    const list = await acme.member.get(`${contactsUrl}?${name}=${value}`)
    const expected_count = Number(list.headers['x-total-count'])
    return await bulkUpdate(acme, {
      action: 'remove_tags',
      query: { [name]: value },
      expected_count,
      params: { tags: ['x'] },
    })
  })

  assert.deepEqual([wrong.status, wrong.body.code, wrong.body.actual], [409, 'selection_changed', 1])
  assert.deepEqual([untouched, outcomesOf(right)], [['vip'], ['ok']])
  assert.deepEqual((await readContact(acme, wanted.id)).tags, ['vip', 'fair'])
  for (const { status, body } of await Promise.all(parts)) assert.deepEqual([status, body.failed], [200, 0])
})

test('members delete and restore only what they may, and a restored contact follows its account and consent', async () => {
  const acme = await tenant()
  const { body: account } = await acme.member.post('/api/accounts/', { name: 'Initech' })
  const own = await addContact(acme, { email: 'own@x.example', account_id: account.id })
  const taken = await addContact(acme, { email: 'taken@x.example' })
  const managers = await addContact(acme, { owner_id: acme.manager.userId })
  const contact_ids = [own.id, taken.id, managers.id]
  const { body: key } = await acme.member.post('/api/api-keys', { name: 'Writer', scopes: ['contacts.write'] })

  const byKey = await acme.bearer(`ApiKey ${key.key}`).post(`${contactsUrl}bulk`, { action: 'delete', contact_ids })
  const deleted = await bulkUpdate(acme, { action: 'delete', contact_ids })
  const taker = await addContact(acme, { email: 'TAKEN@x.example' })
  await acme.member.patch(`/api/accounts/${account.id}`, { name: 'Initrode' })
  await acme.member.post('/api/leads/', { email: 'own@x.example' })
  await acme.manager.post('/api/leads/suppressions', { emails: ['own@x.example'] })
  await acme.manager.delete(`${contactsUrl}${managers.id}`)
  const restored = await bulkUpdate(acme, { action: 'restore', contact_ids: [...contact_ids, taker.id] })

  assert.deepEqual([byKey.status, byKey.body.required_scope], [403, 'contacts.delete'])
  assert.deepEqual(outcomesOf(deleted), ['ok', 'ok', 'forbidden'])
  assert.deepEqual(outcomesOf(restored), ['ok', 'already_exists', 'forbidden', 'not_found'])
  assert.partialDeepStrictEqual(await readContact(acme, own.id), {
    account_name: 'Initrode',
    email_status: 'unsubscribed',
  })
  const found = (await acme.member.get(`${contactsUrl}?search=initrode`)).body
  assert.deepEqual(
    found.map(({ id }: { id: string }) => id),
    [own.id],
  )
  const { events, audit } = await recordsOf(acme, own.id)
  for (const name of ['contact.deleted', 'contact.restored'])
    for (const lines of [events, audit]) assert.equal(lines.filter((line) => line.startsWith(name)).length, 1, name)
})

test('contacts are opted out at once, and so are leads with the address', async () => {
  const acme = await tenant()
  const worker = await startTestWorker()
  const ada = await addContact(acme, { email: 'ada@x.example' })
  const nameless = await addContact(acme)
  const { body: lead } = await acme.member.post('/api/leads/', { email: 'Ada@x.example' })
  const request = { action: 'opt_out', contact_ids: [ada.id, nameless.id], params: { source: 'letter' } }

  const first = await bulkUpdate(acme, request)
  const status = (await readContact(acme, ada.id)).email_status
  const again = await bulkUpdate(acme, request)

  assert.deepEqual([first, again].map(outcomesOf), [
    ['ok', 'validation_failed'],
    ['unchanged', 'validation_failed'],
  ])
  assert.equal(status, 'unsubscribed')
  await waitUntil(async () => (await acme.member.get(`/api/leads/${lead.id}`)).body.email_status === 'unsubscribed')
  await worker.stop()
})

test('the number of statements does not depend on the number of contacts', async () => {
  const acme = await tenant()
  const { body: account } = await acme.member.post('/api/accounts/', { name: 'Initech' })
  const ids: string[] = []
  for (let n = 0; n < 24; n++)
    ids.push((await addContact(acme, { last_name: `Moss ${n}`, email: `m${n}@x.example`, account_id: account.id })).id)
  const [few, many] = [ids.slice(0, 2), ids.slice(2)]
  const statementsOf = async (request: object, contact_ids: string[]) =>
    (await countStatements(services.db.pool, () => bulkUpdate(acme, { ...request, contact_ids }))).statements

  for (const request of [
    { action: 'add_tags', params: { tags: ['fair'] } },
    { action: 'assign', params: { owner_id: null } },
    { action: 'assign', params: { owner_id: acme.member.userId } },
    { action: 'delete' },
    { action: 'restore' },
    { action: 'opt_out' },
  ]) {
    const difference = (await statementsOf(request, many)) - (await statementsOf(request, few))
    // Other work of the application can add some to either.
    assert.ok(difference < many.length - few.length, `${request.action}: ${difference} statements more`)
  }
})

test('the document offers exactly the bulk actions of contacts that exist', () => {
  const names = services.registry.extensionsOf(contactBulkActionPoint).map(({ name }) => name)

  assert.deepEqual([...BulkContactsRequest.properties.action.enum].sort(), names.sort())
})

test('an invalid request is rejected as a whole, and a repeated one runs once', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const contact_ids = await addContacts(acme, 2)
  const errorOf = async (request: object) => {
    const { status, body } = await bulkUpdate(acme, { contact_ids, ...request })
    return [status, body.code, body.errors?.[0]?.path]
  }
  const invalid = (path: string) => [422, 'validation_failed', path]
  const params = { owner_id: acme.manager.userId }

  assert.deepEqual(await errorOf({ action: 'set_status' }), invalid('/action'))
  assert.deepEqual(await errorOf({ action: 'add_tags' }), invalid('/params/tags'))
  assert.deepEqual(await errorOf({ action: 'assign', params: {} }), invalid('/params/owner_id'))
  assert.deepEqual(await errorOf({ action: 'delete', params: { tags: ['vip'] } }), invalid('/params/tags'))
  const foreign = { action: 'assign', params: { owner_id: other.member.userId } }
  assert.deepEqual(await errorOf(foreign), [422, 'unknown_reference', '/params/owner_id'])
  assert.deepEqual(await errorOf({ action: 'assign', params, query: {}, expected_count: 2 }), invalid('/contact_ids'))
  assert.deepEqual(await errorOf({ action: 'assign', params, expected_count: 2 }), invalid('/expected_count'))
  const byQuery = { action: 'assign', params, contact_ids: undefined, query: {} }
  assert.deepEqual(await errorOf(byQuery), invalid('/expected_count'))
  const unknownStage = { ...byQuery, query: { lifecycle_stage: ['fan'] }, expected_count: 1 }
  assert.deepEqual(await errorOf(unknownStage), invalid('/query/lifecycle_stage/0'))
  const restoration = { action: 'restore', contact_ids: undefined, query: {}, expected_count: 2 }
  assert.deepEqual(await errorOf(restoration), invalid('/contact_ids'))
  assert.equal((await acme.viewer.post(`${contactsUrl}bulk`, { action: 'assign', contact_ids, params })).status, 403)

  const headers = { authorization: `Bearer ${acme.member.accessToken}`, 'idempotency-key': 'c1' }
  const sender = acme.member.with({ headers })
  const send = () => sender.post(`${contactsUrl}bulk`, { action: 'assign', contact_ids, params })
  const [first, second] = [await send(), await send()]
  assert.deepEqual([first.body.succeeded, second.body], [2, first.body])
  assert.equal(second.headers['idempotency-replayed'], 'true')
})
