import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { everything, hot, memberIds, newLead, newSegment, type Workspace } from './segments.fixture.ts'

const { tenant } = await startTestApp()
const url = '/api/segments'
const membersOf = (segment_id: string) => ({ fact: 'segment', segment_id })
const update = (acme: Workspace, id: string, rules: object) => acme.member.patch(`${url}/${id}`, { rules })

test('crm-7-4 segments that use each other in a circle are rejected', async () => {
  const acme = await tenant()
  const a = await newSegment(acme, { rules: everything })
  const b = await newSegment(acme, { rules: { all: [hot, membersOf(a.id)] } })

  const circle = await update(acme, a.id, { any: [{ not: membersOf(b.id) }, hot] })
  const itself = await update(acme, a.id, membersOf(a.id))
  const fine = await update(acme, a.id, hot)

  assert.deepEqual(
    [circle.status, circle.body.errors],
    [
      422,
      [
        {
          in: 'body',
          path: '/rules/any/0/not/segment_id',
          code: 'cycle',
          message: '`segment_id` must not refer to a segment that uses this one.',
        },
      ],
    ],
  )
  assert.deepEqual([itself.status, itself.body.errors[0].code], [422, 'cycle'])
  assert.equal(fine.status, 200)
})

test('crm-7-4 two updates at the same time cannot close a circle', async () => {
  const acme = await tenant()
  const [a, b] = [await newSegment(acme), await newSegment(acme)]

  const answers = await Promise.all([update(acme, a.id, membersOf(b.id)), update(acme, b.id, membersOf(a.id))])

  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
})

test('a chain has at most three segments, whichever of them changes', async () => {
  const acme = await tenant()
  const c = await newSegment(acme)
  const b = await newSegment(acme, { rules: membersOf(c.id) })
  const a = await newSegment(acme, { rules: membersOf(b.id) })
  const d = await newSegment(acme)

  const above = await acme.member.post(url, { object_type: 'lead', name: 'Fourth', rules: membersOf(a.id) })
  const below = await update(acme, c.id, membersOf(d.id))
  const previewed = await acme.member.post(`${url}/preview`, { object_type: 'lead', rules: membersOf(a.id) })
  const listed = await acme.member.get(`/api/leads/?segment_id=${a.id}`)

  for (const { status, body } of [above, below, previewed])
    assert.deepEqual([status, body.errors[0].code], [422, 'nesting'])
  assert.equal(listed.status, 200)
})

test('nested segments, dynamic and static, select the members that all of them have', async () => {
  const acme = await tenant()
  const [first, second, third] = [
    await newLead(acme, { title: 'Head of sales', country: 'DE' }),
    await newLead(acme, { title: 'Head of sales', country: 'FR' }),
    await newLead(acme, { title: 'Engineer', country: 'DE' }),
  ]
  const german = await newSegment(acme, { rules: { field: 'country', op: 'eq', value: 'DE' } })
  const list = await newSegment(acme, { kind: 'static', record_ids: [first, second] })

  const both = await newSegment(acme, { rules: { all: [membersOf(german.id), membersOf(list.id)] } })
  const neither = await newSegment(acme, { rules: { not: { any: [membersOf(german.id), membersOf(list.id)] } } })
  const onlyGerman = await newSegment(acme, { rules: { all: [membersOf(german.id), { not: membersOf(list.id) }] } })

  assert.deepEqual(await memberIds(acme, both.id), [first])
  assert.deepEqual(await memberIds(acme, neither.id), [])
  assert.deepEqual(await memberIds(acme, onlyGerman.id), [third])
  const { body } = await acme.viewer.get(`${url}/${german.id}`)
  assert.deepEqual(body.used_by.map(({ id }: { id: string }) => id).sort(), [both.id, neither.id, onlyGerman.id].sort())
})

test('a segment that another one uses cannot be deleted', async () => {
  const acme = await tenant()
  const used = await newSegment(acme)
  const user = await newSegment(acme, { name: 'User', rules: membersOf(used.id) })

  const refused = await acme.member.delete(`${url}/${used.id}`)
  await acme.member.delete(`${url}/${user.id}`)
  const deleted = await acme.member.delete(`${url}/${used.id}`)

  assert.deepEqual([refused.status, refused.body.code], [409, 'segment_in_use'])
  const use = { type: 'segment', id: user.id, name: 'User', target_type: null, target: null }
  assert.deepEqual(refused.body.used_by, [use])
  assert.equal(deleted.status, 204)
})

test('nested rules have at most 200 conditions together', async () => {
  const acme = await tenant()
  const many = { any: Array.from({ length: 45 }, (_, n) => ({ field: 'score', op: 'eq', value: n })) }
  const segments = []
  for (let n = 0; n < 5; n++) segments.push(await newSegment(acme, { rules: many }))

  const four = await acme.member.post(url, {
    object_type: 'lead',
    name: 'Four',
    rules: { all: segments.slice(1).map(({ id }) => membersOf(id)) },
  })
  const five = await acme.member.post(url, {
    object_type: 'lead',
    name: 'Five',
    rules: { all: segments.map(({ id }) => membersOf(id)) },
  })

  assert.deepEqual([four.status, five.status, five.body.errors[0].code], [201, 422, 'too_many'])
})
