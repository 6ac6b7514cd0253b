import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { createPublishedItem } from '../../library/content/content.fixture.ts'

const { tenant } = await startTestApp()
const url = '/api/enablement/coaching/personas'

const buyer = {
  name: 'Dana Reyes',
  job_title: 'Head of Operations',
  style: 'analytical',
  background: 'A secret background.',
  traits: { skepticism: 5 },
  objections: [{ key: 'price', topic: 'price', text: 'Too expensive.' }],
  facts: [{ key: 'tool', topic: 'current tool', text: 'We use spreadsheets.', reveal_keywords: ['tool'] }],
}
const { background: _, objections, facts, ...summary } = buyer

test('managers see the whole persona, others see how many facts and objections it has', async () => {
  const acme = await tenant()
  const item = await createPublishedItem(acme)

  const created = await acme.manager.post(url, { ...buyer, avatar_item_id: item.id })
  const shown = await acme.viewer.get(url)

  assert.equal(created.status, 201, created.text)
  const neutral = { patience: 3, skepticism: 5, talkativeness: 3, technical_depth: 3, price_sensitivity: 3 }
  assert.deepEqual(
    [created.body.traits, created.body.voice, created.body.avatar_item_id],
    [neutral, { name: null, speed: 1 }, item.id],
  )
  assert.deepEqual(created.body.objections, [{ ...objections[0], triggers: [], good_responses: [], severity: 2 }])
  assert.deepEqual(created.body.facts, [{ ...facts[0], suggested_question: null }])
  assert.partialDeepStrictEqual(shown.body.items[0], {
    ...summary,
    traits: neutral,
    background: null,
    objections: null,
    objection_count: 1,
    facts: null,
    fact_count: 1,
  })
  assert.doesNotMatch(shown.text, /secret|spreadsheets|expensive/)
  assert.ok((await acme.audit()).includes('coaching_persona.created'))
})

test('a change replaces objections and keeps the traits that it leaves out', async () => {
  const acme = await tenant()
  const { body } = await acme.manager.post(url, buyer)
  const change = (fields: object, headers = {}) => acme.manager.patch(`${url}/${body.id}`, fields, headers)

  const changed = await change({ traits: { patience: 1 }, objections: [], opening_line: 'Yes?' })
  const same = await change({ opening_line: 'Yes?' })
  const stale = await change({ name: 'Dan' }, { 'if-match': '"1"' })

  assert.deepEqual([changed.body.traits.patience, changed.body.traits.skepticism], [1, 5])
  assert.deepEqual([changed.body.objections, changed.body.facts.length, changed.body.version], [[], 1, 2])
  assert.deepEqual([same.body.version, stale.status], [2, 412])
  assert.deepEqual(await acme.events(), ['coaching_persona.created', 'coaching_persona.updated'])
})

test('inactive and deleted personas are not listed, and the name of a deleted one is free', async () => {
  const acme = await tenant()
  const first = await acme.manager.post(url, buyer)
  const second = await acme.manager.post(url, { ...buyer, name: 'Eli', is_active: false })
  const namesIn = async (query = '') =>
    (await acme.viewer.get(`${url}${query}`)).body.items.map(({ name }: { name: string }) => name)

  assert.deepEqual(await namesIn(), ['Dana Reyes'])
  assert.deepEqual(await namesIn('?include_inactive=true'), ['Dana Reyes', 'Eli'])
  const { next_cursor } = (await acme.viewer.get(`${url}?include_inactive=true&limit=1`)).body
  assert.deepEqual(await namesIn(`?include_inactive=true&limit=1&cursor=${next_cursor}`), ['Eli'])

  const taken = await acme.manager.post(url, { ...buyer, name: 'dana reyes' })
  const deleted = await acme.manager.delete(`${url}/${first.body.id}`)
  const again = await acme.manager.post(url, buyer)
  const renamed = await acme.manager.patch(`${url}/${second.body.id}`, { name: 'DANA REYES' })

  assert.deepEqual([taken.status, taken.body.code, taken.body.existing_id], [409, 'already_exists', first.body.id])
  assert.deepEqual([deleted.status, again.status, renamed.status], [204, 201, 409])
  assert.equal((await acme.manager.delete(`${url}/${first.body.id}`)).status, 404)
})

test('members cannot change personas, and other workspaces cannot see them', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { body } = await acme.manager.post(url, buyer)

  for (const user of [acme.member, acme.viewer]) {
    assert.equal((await user.post(url, { ...buyer, name: 'Other' })).status, 403)
    assert.equal((await user.patch(`${url}/${body.id}`, { name: 'Other' })).status, 403)
    assert.equal((await user.delete(`${url}/${body.id}`)).status, 403)
  }
  assert.deepEqual((await other.manager.get(url)).body.items, [])
  assert.equal((await other.manager.patch(`${url}/${body.id}`, { name: 'Other' })).status, 404)
  assert.equal((await other.manager.delete(`${url}/${body.id}`)).status, 404)
})

test('invalid personas are rejected', async () => {
  const { manager } = await tenant()
  const codeOf = async (fields: object) => {
    const { status, body } = await manager.post(url, { ...buyer, ...fields })
    return [status, body.errors?.[0]?.path, body.errors?.[0]?.code]
  }

  const repeated = [...facts, ...facts]
  assert.deepEqual(await codeOf({ facts: repeated }), [422, '/facts/1/key', 'duplicate_key'])
  assert.deepEqual(await codeOf({ objections: [...objections, ...objections] }), [
    422,
    '/objections/1/key',
    'duplicate_key',
  ])
  assert.deepEqual(await codeOf({ avatar_item_id: newId() }), [422, '/avatar_item_id', 'unknown_reference'])
  for (const fields of [{ name: '' }, { style: 'angry' }, { traits: { patience: 6 } }, { voice: { speed: 2 } }])
    assert.equal((await codeOf(fields))[0], 422)
})
