import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { tenant } = await startTestApp()

test('concurrent changes of an account and its contacts do not deadlock', async () => {
  const acme = await tenant()
  const account = (await acme.member.post('/api/accounts/', { name: 'Initech' })).body
  const people: { id: string }[] = []
  for (let n = 0; n < 6; n++)
    people.push((await acme.member.post('/api/contacts/', { email: `p${n}@x.example`, account_id: account.id })).body)
  const [one, two, three, four, five, six] = people.map(({ id }) => `/api/contacts/${id}`) as [string, ...string[]]
  const calls = await Promise.all(
    people.map(({ id }) => acme.member.post(`/api/contacts/${id}/activities`, { type: 'call' })),
  )

  for (let round = 0; round < 5; round++) {
    const responses = await Promise.all([
      acme.manager.patch(`/api/accounts/${account.id}`, { name: `Initech ${round}` }),
      acme.member.post(`${one}/activities`, { type: 'call' }),
      acme.member.post(`${two}/activities`, { type: 'note' }),
      acme.member.post(`/api/accounts/${account.id}/activities`, { type: 'note' }),
      acme.member.patch(three!, { account_id: round % 2 ? account.id : null, email: `other${round}@x.example` }),
      acme.member.patch(four!, { email: `other${round}@x.example` }),
      acme.member.post('/api/contacts/', { email: `other${round}@x.example`, account_id: account.id }),
      acme.member.delete(`${two}/activities/${calls[1]!.body.id}`),
      acme.manager.post(`${five}/merge`, { duplicate_ids: [people[5]!.id] }),
      acme.manager.post(`${six}/merge`, { duplicate_ids: [people[4]!.id] }),
      acme.member.post(`${six}/activities`, { type: 'note' }),
    ])
    const unexpected = responses.filter(({ status }) => ![200, 201, 204, 404, 409, 422].includes(status))
    assert.deepEqual(
      unexpected.map(({ status, body }) => [status, body]),
      [],
    )
  }

  const { rows } = await acme.sql(
    `select account_name, count(*)::int from crm.contacts where tenant_id = $1 and account_id = $2 group by 1`,
    [acme.id, account.id],
  )
  assert.deepEqual(
    rows.map(({ account_name }) => account_name),
    ['Initech 4'],
  )
  const stray = await acme.sql(
    `select count(*)::int as found from crm.activities join crm.contacts on contacts.id = contact_id
     where contacts.merged_into_id is not null and activities.tenant_id = $1`,
    [acme.id],
  )
  assert.deepEqual(stray.rows, [{ found: 0 }])
})
