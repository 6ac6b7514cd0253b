import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'

const { tenant } = await startTestApp()
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
  assert.equal(result.total, 3)
  assert.equal((await acme.member.get(`${url}${zoe.id}`)).body.duplicate_count, 3)
  assert.deepEqual(await duplicates(other, foreign.id), { items: [], total: 0 })
})

test('deleted leads and leads without match keys have no duplicates', async () => {
  const acme = await tenant()
  const one = await lead(acme, { email: 'ann@x.example' })
  const deleted = await lead(acme, { email: 'ann@x.example' })
  const withoutKeys = await lead(acme, { phone: '+4930901820' })
  await lead(acme, { phone: '+4930901820' })
  await acme.member.delete(`${url}${deleted.id}`)

  assert.deepEqual(await duplicates(acme, one.id), { items: [], total: 0 })
  assert.deepEqual(await duplicates(acme, withoutKeys.id), { items: [], total: 0 })
  assert.equal((await acme.viewer.get(`${url}${deleted.id}/duplicates`)).status, 404)
  assert.equal((await acme.viewer.get(`${url}${newId()}/duplicates`)).status, 404)
})
