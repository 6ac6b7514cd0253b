import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'

const { tenant } = await startTestApp()
const none = { items: [], total: 0, total_relation: 'eq' }
type Acme = Awaited<ReturnType<typeof tenant>>

const url = '/api/leads/'
const lead = async (acme: Acme, fields: object) => (await acme.member.post(url, fields)).body
const duplicates = async (acme: Acme, id: string) => (await acme.viewer.get(`${url}${id}/duplicates`)).body
const summarize = ({
  items,
}: {
  items: { entity_type: string; record: { id: string }; match: string; confidence: number }[]
}) => items.map(({ entity_type, record, match, confidence }) => [entity_type, record.id, match, confidence])

test('crm-1-12 duplicates are matched by email address, then by name and company, within the workspace', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const zoe = await lead(acme, { first_name: 'Zoé', last_name: 'Ünal', company: 'Acme GmbH', email: 'zoe@x.example' })
  const sameName = await lead(acme, { first_name: 'zoe', last_name: 'unal', company: 'ACME' })
  const sameEmail = await lead(acme, { email: 'ZOE@X.example' })
  const contact = (await acme.member.post('/api/contacts/', { email: 'Zoe@x.EXAMPLE' })).body
  const foreign = await lead(other, {
    first_name: 'Zoé',
    last_name: 'Ünal',
    company: 'Acme GmbH',
    email: 'zoe@x.example',
  })

  const result = await duplicates(acme, zoe.id)

  assert.deepEqual(summarize(result), [
    ['lead', sameEmail.id, 'email', 1],
    ['contact', contact.id, 'email', 1],
    ['lead', sameName.id, 'name_company', 0.8],
  ])
  assert.deepEqual([result.total, result.total_relation], [3, 'eq'])
  assert.equal((await acme.member.get(`${url}${zoe.id}`)).body.duplicate_count, 3)
  assert.deepEqual(await duplicates(other, foreign.id), none)
})

test('deleted leads and leads without match keys have no duplicates', async () => {
  const acme = await tenant()
  const one = await lead(acme, { email: 'ann@x.example' })
  const deleted = await lead(acme, { email: 'ann@x.example' })
  const withoutKeys = await lead(acme, { phone: '+4930901820' })
  await lead(acme, { phone: '+4930901820' })
  await acme.member.delete(`${url}${deleted.id}`)

  assert.deepEqual(await duplicates(acme, one.id), none)
  assert.deepEqual(await duplicates(acme, withoutKeys.id), none)
  assert.equal((await acme.viewer.get(`${url}${deleted.id}/duplicates`)).status, 404)
  assert.equal((await acme.viewer.get(`${url}${newId()}/duplicates`)).status, 404)
})

test('of many duplicates the oldest 50 are listed, matches by email address first', async () => {
  const acme = await tenant()
  const unknown = await lead(acme, { last_name: 'Unknown', company: 'Unknown', email: 'x@unknown.example' })
  await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, name_key, company, company_key, email, source, search_text, created_at, created_on)
     select $1, gen_random_uuid(), 'Unknown', 'unknown', 'Unknown', 'unknown', case when n <= 3 then 'x@unknown.example' end, 'import',
       '', timestamptz '2026-01-01' - n * interval '1 day', '2026-01-01' from generate_series(1, 60) n`,
    [acme.id],
  )
  const { body: account } = await acme.member.post('/api/accounts/', { name: 'Unknown GmbH' })
  const { body: contact } = await acme.member.post('/api/contacts/', { last_name: 'Unknown', account_id: account.id })
  const { rows } = await acme.sql(
    `select id from crm.leads where tenant_id = $1 and source = 'import' order by email nulls last, created_at`,
    [acme.id],
  )

  const result = await duplicates(acme, unknown.id)

  const ids = result.items.map(({ record }: { record: { id: string } }) => record.id)
  assert.deepEqual(
    ids,
    rows.slice(0, 50).map(({ id }) => id),
  )
  assert.deepEqual([result.total, result.total_relation], [50, 'gte'])
  assert.equal((await acme.member.get(`${url}${unknown.id}`)).body.duplicate_count, 50)
  const ofContact = (await acme.viewer.get(`/api/contacts/${contact.id}/duplicates`)).body
  assert.deepEqual([ofContact.items.length, ofContact.total_relation], [50, 'gte'])
})
