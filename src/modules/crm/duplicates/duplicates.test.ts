import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'

const { tenant } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const url = '/api/leads/'
const lead = async (acme: Acme, fields: object) => (await acme.member.post(url, fields)).body
const duplicates = async (acme: Acme, id: string) => (await acme.viewer.get(`${url}${id}/duplicates`)).body
const brief = ({
  items,
}: {
  items: { entity_type: string; record: { id: string }; match: string; confidence: number }[]
}) => items.map(({ entity_type, record, match, confidence }) => [entity_type, record.id, match, confidence])

test('crm-1-12 twins are found by address, then by name and company, in this workspace only', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const zoe = await lead(acme, { first_name: 'Zoé', last_name: 'Ünal', company: 'Acme GmbH', email: 'zoe@x.example' })
  const named = await lead(acme, { first_name: 'zoe', last_name: 'unal', company: 'ACME' })
  const addressed = await lead(acme, { email: 'ZOE@X.example' })
  const contact = (await acme.member.post('/api/contacts/', { email: 'Zoe@x.EXAMPLE' })).body
  const twin = await lead(other, { first_name: 'Zoé', last_name: 'Ünal', company: 'Acme GmbH', email: 'zoe@x.example' })

  const found = await duplicates(acme, zoe.id)

  assert.deepEqual(brief(found), [
    ['lead', addressed.id, 'email', 1],
    ['contact', contact.id, 'email', 1],
    ['lead', named.id, 'name_company', 0.8],
  ])
  assert.equal(found.total, 3)
  assert.equal((await acme.member.get(`${url}${zoe.id}`)).body.duplicate_count, 3)
  assert.deepEqual(await duplicates(other, twin.id), { items: [], total: 0 })
})

test('whoever was deleted, and whoever says nothing to compare by, has no twin', async () => {
  const acme = await tenant()
  const one = await lead(acme, { email: 'ann@x.example' })
  const gone = await lead(acme, { email: 'ann@x.example' })
  const nobody = await lead(acme, { phone: '+4930901820' })
  await lead(acme, { phone: '+4930901820' })
  await acme.member.delete(`${url}${gone.id}`)

  assert.deepEqual(await duplicates(acme, one.id), { items: [], total: 0 })
  assert.deepEqual(await duplicates(acme, nobody.id), { items: [], total: 0 })
  assert.equal((await acme.viewer.get(`${url}${gone.id}/duplicates`)).status, 404)
  assert.equal((await acme.viewer.get(`${url}${newId()}/duplicates`)).status, 404)
})
