import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { createIntegrityRunner } from '../../operations/integrity/integrity.fixture.ts'
import { createField, options } from '../lookup/custom-fields/custom-fields.fixture.ts'
import { type Acme, createLeadWith } from '../people/leads/leads.fixture.ts'

const { tenant, services, owner } = await startTestApp({}, { isOwn: true })
const { find, findAll, repair, assertRepairs } = createIntegrityRunner(services)

/** Creates the same records in two workspaces; checks of one must never report those of the other. */
const createPair = async (): Promise<[Acme, Acme]> => [await tenant(), await tenant()]

const createOf = async (acme: Acme, url: string, body: object) => {
  const created = await acme.member.post(url, body)
  assert.equal(created.status, 201, JSON.stringify(created.body))
  return created.body.id as string
}

test('open records of a deactivated user are reported and assigned to the manager', async () => {
  const [acme, other] = await createPair()
  const found: string[][] = []
  for (const one of [acme, other]) {
    const account = await createOf(one, '/api/accounts/', { name: 'Initech', owner_id: one.member.userId })
    const ids = [
      (await createLeadWith(one, { owner_id: one.member.userId })).id,
      account,
      await createOf(one, '/api/opportunities/', {
        name: 'Renewal',
        account_id: account,
        close_on: '2030-01-31',
        owner_id: one.member.userId,
      }),
    ]
    await createLeadWith(one, { owner_id: one.member.userId }, { status: 'unqualified', disqualify_reason: 'no_need' })
    await createLeadWith(one, { owner_id: one.manager.userId })
    found.push(ids)
    await one.sql(
      `update identity.users set status = 'deactivated', deactivated_at = now(), manager_id = $2 where id = $1`,
      [one.member.userId, one.manager.userId],
    )
  }

  await assertRepairs(acme.id, 'owner_inactive', found[0]!)

  assert.deepEqual(await find(other.id, 'owner_inactive'), found[1]!.toSorted())
  const { rows } = await owner.query(`select distinct owner_id from crm.opportunities where tenant_id = $1`, [acme.id])
  assert.deepEqual(rows, [{ owner_id: acme.manager.userId }])
  assert.ok((await acme.events()).includes('lead.assigned'))
})

test('records of a deactivated user without a manager stay reported', async () => {
  const acme = await tenant()
  const { id } = await createLeadWith(acme, { owner_id: acme.member.userId })
  await acme.sql(`update identity.users set status = 'deactivated', deactivated_at = now() where id = $1`, [
    acme.member.userId,
  ])

  const { repaired } = await repair(acme.id, 'owner_inactive')

  assert.equal(repaired, 0)
  assert.deepEqual(await find(acme.id, 'owner_inactive'), [id])
})

test('a converted lead that lost its contact is reported and linked again', async () => {
  const [acme, other] = await createPair()
  const ids = []
  for (const one of [acme, other]) {
    const { id } = await createLeadWith(one, { company: 'Initech', email: 'moss@initech.example' })
    assert.equal((await one.member.post(`/api/leads/${id}/convert`, {})).status, 200)
    await one.sql('update crm.leads set converted_contact_id = null where id = $1', [id])
    ids.push(id)
  }

  await assertRepairs(acme.id, 'lead_converted_without_contact', [ids[0]])

  assert.deepEqual(await find(other.id, 'lead_converted_without_contact'), [ids[1]])
  const { rows } = await owner.query(
    `select c.lead_id from crm.leads l join crm.contacts c on c.id = l.converted_contact_id where l.id = $1`,
    [ids[0]],
  )
  assert.deepEqual(rows, [{ lead_id: ids[0] }])
})

test('scores out of range and stale grades are reported and calculated again', async () => {
  const [acme, other] = await createPair()
  await owner.query('alter table crm.leads drop constraint leads_score_range')
  const ids = []
  for (const one of [acme, other]) {
    const [high, stale] = [await createLeadWith(one, {}), await createLeadWith(one, {})]
    await one.sql(`update crm.leads set score = 150, grade = 'A' where id = $1`, [high.id])
    await one.sql(`update crm.leads set grade = 'A' where id = $1`, [stale.id])
    ids.push(high.id, stale.id)
  }

  await assertRepairs(acme.id, 'lead_score_out_of_range', [ids[0]])
  await assertRepairs(acme.id, 'lead_grade_stale', [ids[1]])

  assert.deepEqual(await find(other.id, 'lead_score_out_of_range'), [ids[2]])
  assert.deepEqual(await find(other.id, 'lead_grade_stale'), [ids[3]])
})

test('contacts with the same email address are reported and must be merged', async () => {
  const [acme, other] = await createPair()
  await owner.query('drop index crm.contacts_email_unique')
  const create = (one: Acme, email: string) => createOf(one, '/api/contacts/', { last_name: 'Moss', email })
  const ids = [await create(acme, 'moss@initech.example'), await create(acme, 'reed@initech.example')]
  await create(other, 'moss@initech.example')
  await acme.sql(`update crm.contacts set email = 'MOSS@initech.example' where id = $1`, [ids[1]])

  assert.deepEqual(await find(acme.id, 'duplicate_email_contacts'), ids.toSorted())
  assert.deepEqual(await find(other.id, 'duplicate_email_contacts'), [])
  await assert.rejects(repair(acme.id, 'duplicate_email_contacts'), { code: 'not_found' })
})

test('values and index entries without a field or record are reported and deleted', async () => {
  const [acme, other] = await createPair()
  const field = await createField(acme, { key: 'seats', type: 'number' })
  const lead = await createLeadWith(acme, { custom: { seats: 5 } })
  const foreign = await createLeadWith(other, {})
  await acme.sql(`update crm.leads set custom = custom || '{"gone": 1}' where id = any($1)`, [[lead.id, foreign.id]])
  const [goneRecord, goneField] = [newId(), newId()]
  for (const [fieldId, recordId] of [
    [field.id, goneRecord],
    [goneField, lead.id],
  ])
    await acme.sql(
      'insert into crm.custom_field_index (tenant_id, field_id, record_id, ord, num) values ($1, $2, $3, 0, 1)',
      [acme.id, fieldId, recordId],
    )

  await assertRepairs(acme.id, 'custom_value_orphan', [lead.id, lead.id, goneRecord])

  assert.deepEqual((await acme.member.get(`/api/leads/${lead.id}`)).body.custom, { seats: 5 })
  const { rows } = await owner.query('select num from crm.custom_field_index where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [{ num: 5 }])
  assert.deepEqual(await find(other.id, 'custom_value_orphan'), [foreign.id])
})

test('values of another type than their field are reported, then converted or cleared', async () => {
  const [acme, other] = await createPair()
  for (const one of [acme, other]) {
    await createField(one, { key: 'seats', type: 'number' })
    await createField(one, { key: 'plans', type: 'multi_select', options: options('basic', 'pro') })
    await createField(one, { key: 'since', type: 'date' })
    await createField(one, { key: 'note' })
  }
  const broken = JSON.stringify({ seats: '12', plans: 'pro', since: 5, note: 7 })
  const ids = []
  for (const one of [acme, other]) {
    const { id } = await createLeadWith(one, { custom: { note: 'fine' } })
    await one.sql('update crm.leads set custom = $2 where id = $1', [id, broken])
    ids.push(id)
  }

  await assertRepairs(acme.id, 'custom_value_type', [ids[0]])

  const { custom } = (await acme.member.get(`/api/leads/${ids[0]}`)).body
  assert.deepEqual(custom, { seats: 12, plans: ['pro'], note: '7' })
  assert.deepEqual(await find(other.id, 'custom_value_type'), [ids[1]])
})

test('entries of records that do not exist are reported and deleted', async () => {
  const [acme, other] = await createPair()
  await createLeadWith(acme, { tags: ['vip'] })
  const ids = [newId(), newId(), newId(), newId()]
  const insert = (one: Acme, table: string, columns: string, values: string, id: string) =>
    one.sql(`insert into crm.${table} (tenant_id, ${columns}) values ($1, ${values})`, [one.id, id])
  await insert(acme, 'record_tags', 'entity_type, tag, record_id', `'lead', 'vip', $2`, ids[0]!)
  await insert(acme, 'search_texts', 'record_type, record_id, search_text', `'contact', $2, ' a '`, ids[1]!)
  await insert(
    acme,
    'field_provenance',
    'entity_type, entity_id, field, source, set_at',
    `'account', $2, 'name', 'human', now()`,
    ids[2]!,
  )
  await insert(other, 'record_tags', 'entity_type, tag, record_id', `'lead', 'vip', $2`, ids[3]!)

  await assertRepairs(acme.id, 'polymorphic_orphan', ids.slice(0, 3))

  assert.deepEqual(await find(other.id, 'polymorphic_orphan'), [ids[3]])
  assert.equal((await acme.member.get('/api/leads/?tag=vip')).body.total, 1)
})

test('drifted counters and statistics are reported and counted again', async () => {
  const [acme, other] = await createPair()
  for (const one of [acme, other]) {
    await createLeadWith(one, { owner_id: one.member.userId })
    await one.sql('update crm.open_lead_counts set leads = leads + 2 where tenant_id = $1', [one.id])
    await one.sql(
      `update crm.assignment_state set assigned_since = now() - interval '1 day', assigned_leads = 7 where tenant_id = $1`,
      [one.id],
    )
    await one.sql(`delete from crm.lead_deltas where tenant_id = $1`, [one.id])
  }
  const { rows: days } = await owner.query(
    'select distinct created_on::text as day from crm.leads where tenant_id = $1',
    [acme.id],
  )

  await assertRepairs(acme.id, 'counter_drift', [acme.member.userId, acme.member.userId])
  await assertRepairs(
    acme.id,
    'rollup_drift',
    days.map(({ day }) => day),
  )

  assert.equal((await find(other.id, 'counter_drift')).length, 2)
  assert.equal((await find(other.id, 'rollup_drift')).length, 1)
  assert.equal((await acme.member.get('/api/leads/kpis')).status, 200)
})

test('a workspace with all kinds of records passes all checks', async () => {
  const acme = await tenant()
  await createField(acme, { key: 'seats', type: 'number' })
  const lead = await createLeadWith(acme, {
    company: 'Initech',
    email: 'a@initech.example',
    tags: ['vip'],
    custom: { seats: 1 },
  })
  await acme.member.post(`/api/leads/${lead.id}/convert`, {})
  const deleted = await createLeadWith(acme, { tags: ['vip'], custom: { seats: 2 }, owner_id: acme.member.userId })
  await acme.member.delete(`/api/leads/${deleted.id}`)

  const results = await findAll(acme.id)

  assert.deepEqual(
    results.filter(({ status }) => status !== 'ok'),
    [],
  )
})
