import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitUntil } from '#testing'
import { newAccount, newDeal } from '../../deals/opportunities/opportunities.fixture.ts'
import { objectTypes } from '../../records/custom-values/custom-values.schemas.ts'
import { createField, fieldsUrl } from './custom-fields.fixture.ts'

const { tenant, startTestWorker } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
await startTestWorker()

const paths = { lead: 'leads', contact: 'contacts', account: 'accounts', opportunity: 'opportunities' } as const
const find = async (acme: Acme, path: string, search: string): Promise<number> => {
  const { body } = await acme.member.get(`/api/${path}/?search=${encodeURIComponent(search)}`)
  return (body.items ?? body).length
}

async function create(acme: Acme, path: string, custom: object): Promise<string> {
  const input = path === 'accounts' ? { name: 'Initech', custom } : { last_name: 'Moss', custom }
  const { body } =
    path === 'opportunities'
      ? { body: await newDeal(acme, { account_id: await newAccount(acme), custom }) }
      : await acme.member.post(`/api/${path}/`, input)
  return body.id
}

for (const object_type of objectTypes)
  test(`a search of ${paths[object_type]} finds the values of searchable custom fields`, async () => {
    const acme = await tenant()
    const path = paths[object_type]
    const { id } = await createField(acme, { object_type, key: 'alias' })
    await createField(acme, { object_type, key: 'nick', is_searchable: true })
    const record = await create(acme, path, { alias: 'Zaphod', nick: 'Örsted GmbH' })

    assert.deepEqual([await find(acme, path, 'orsted'), await find(acme, path, 'zaphod')], [1, 0])
    await acme.manager.patch(`${fieldsUrl}/${id}`, { is_searchable: true })
    await waitUntil(async () => (await find(acme, path, 'zaphod')) === 1)
    await acme.member.patch(`/api/${path}/${record}`, { notes: 'x', tags: ['vip'], custom: { nick: 'Trillian' } })
    assert.deepEqual([await find(acme, path, 'orsted'), await find(acme, path, 'trillian zaph')], [0, 1])
    await acme.admin.delete(`${fieldsUrl}/${id}?force=true`)
    await waitUntil(async () => (await find(acme, path, 'zaphod')) === 0)
    assert.equal(await find(acme, path, 'trillian'), 1)
  })

test('a change of the name keeps the values, and only types with text can be searchable', async () => {
  const acme = await tenant()
  await createField(acme, { key: 'nick', is_searchable: true })
  const id = await create(acme, 'leads', { nick: 'Ford' })

  await acme.member.patch(`/api/leads/${id}`, { last_name: 'Prefect' })
  const size = { object_type: 'lead', label: 'Size', type: 'number', is_searchable: true }
  const refused = await acme.manager.post(fieldsUrl, size)

  assert.deepEqual([await find(acme, 'leads', 'prefect ford'), await find(acme, 'leads', 'moss')], [1, 0])
  assert.deepEqual([refused.status, refused.body.errors[0].path], [422, '/is_searchable'])
})
