import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { createPersona, createScenario, exampleRubric, personasUrl, scenariosUrl } from '../coaching.fixture.ts'

const { tenant } = await startTestApp()
const titlesOf = (items: { title: string }[]) => items.map(({ title }) => title)

test('sellers see criteria with their weights, but neither the config nor the context of the buyer', async () => {
  const acme = await tenant()
  const { id, persona_id } = await createScenario(acme, { buyer_context: 'A secret context.', brief: 'Ask.' })

  const [author, seller] = [
    await acme.manager.get(`${scenariosUrl}${id}`),
    await acme.member.get(`${scenariosUrl}${id}`),
  ]

  assert.deepEqual(author.body.rubric[1], {
    ...exampleRubric[1],
    description: '',
    config: { target: 6, open_min_rate: 0.5 },
  })
  assert.deepEqual([author.body.buyer_context, author.body.persona.id], ['A secret context.', persona_id])
  assert.deepEqual(seller.body.rubric[1], { ...exampleRubric[1], description: '' })
  assert.deepEqual(
    [seller.body.buyer_context, seller.body.brief, seller.body.max_turns, seller.body.passing_score],
    [null, 'Ask.', 24, 70],
  )
  assert.deepEqual(
    [author.body.difficulty, author.body.rubric_version, author.body.owner.id],
    ['medium', 1, acme.manager.userId],
  )
})

test('drafts are listed for managers only, and filters and the search select scenarios', async () => {
  const acme = await tenant()
  const draft = await createScenario(acme, { title: 'Draft call', status: 'draft' })
  await createScenario(acme, { title: 'Price talk', type: 'negotiation', difficulty: 'hard' })
  await createScenario(acme, { title: 'First demo', type: 'demo' })
  await createScenario(acme, { title: 'Old demo', type: 'demo', status: 'archived' })
  const titles = async (query: string, user = acme.member) =>
    titlesOf((await user.get(`${scenariosUrl}${query}`)).body.items)

  assert.deepEqual(await titles(''), ['First demo', 'Price talk'])
  assert.deepEqual(await titles('?type=demo'), ['First demo'])
  assert.deepEqual(await titles('?difficulty=hard'), ['Price talk'])
  assert.deepEqual(await titles('?search=talk'), ['Price talk'])
  assert.deepEqual(await titles('?status=archived,draft'), ['Old demo'])
  assert.deepEqual(await titles('?status=archived,draft', acme.manager), ['Old demo', 'Draft call'])
  const { next_cursor } = (await acme.member.get(`${scenariosUrl}?limit=1`)).body
  assert.deepEqual(await titles(`?limit=1&cursor=${next_cursor}`), ['Price talk'])
  assert.equal((await acme.member.get(draft.url)).status, 404)
})

test('a scenario is published with an active persona only, and follows its transitions', async () => {
  const acme = await tenant()
  const { url, persona_id } = await createScenario(acme, { status: 'draft' })
  const set = async (fields: object) => {
    const { status, body } = await acme.manager.patch(url, fields)
    return [status, body.code ?? body.status]
  }
  const inactive = await createPersona(acme, { is_active: false })

  assert.deepEqual(await set({ status: 'published', persona_id: null }), [409, 'not_publishable'])
  assert.deepEqual(await set({ status: 'published', persona_id: inactive.id }), [409, 'not_publishable'])
  assert.deepEqual(await set({ status: 'published', persona_id }), [200, 'published'])
  assert.deepEqual(await set({ persona_id: null }), [409, 'not_publishable'])
  assert.deepEqual(await set({ status: 'archived' }), [200, 'archived'])
  assert.deepEqual(await set({ status: 'published' }), [409, 'invalid_transition'])
  assert.deepEqual(await set({ status: 'draft' }), [200, 'draft'])
  assert.deepEqual(
    (await acme.events()).filter((type) => type.startsWith('coaching_scenario') && !type.endsWith('updated')),
    ['coaching_scenario.created', 'coaching_scenario.published', 'coaching_scenario.archived'],
  )
})

test('a changed rubric has a new version, another change has not', async () => {
  const acme = await tenant()
  const { url } = await createScenario(acme)

  const renamed = await acme.manager.patch(url, { title: 'Second call', rubric: exampleRubric })
  const changed = await acme.manager.patch(url, { rubric: exampleRubric.slice(1) })

  assert.deepEqual([renamed.body.rubric_version, renamed.body.title], [1, 'Second call'])
  assert.deepEqual([changed.body.rubric_version, changed.body.rubric.length], [2, 3])
})

test('enablement-4-10 a persona is deleted only if all scenarios that use it are archived', async () => {
  const acme = await tenant()
  const { url, id, persona_id } = await createScenario(acme)
  const remove = () => acme.manager.delete(`${personasUrl}/${persona_id}`)

  const refused = await remove()
  await acme.manager.patch(url, { status: 'archived' })
  const removed = await remove()
  const { body: restored } = await acme.manager.patch(url, { status: 'draft' })

  assert.deepEqual([refused.status, refused.body.code], [409, 'in_use'])
  assert.deepEqual(refused.body.references, [{ id, title: 'First call', type: 'coaching_scenario' }])
  assert.equal(removed.status, 204)
  assert.deepEqual([restored.status, restored.persona_id, restored.persona], ['draft', null, null])
})

test('invalid rubrics and unknown references are rejected', async () => {
  const acme = await tenant()
  const codeOf = async (fields: object) => {
    const scenario = { title: 'Call', type: 'demo', rubric: exampleRubric, ...fields }
    const { status, body } = await acme.manager.post(scenariosUrl, scenario)
    return [status, body.errors?.[0]?.path, body.errors?.[0]?.code]
  }
  const criterion = (fields: object) => ({ rubric: [{ key: 'a', name: 'A', weight: 1, ...fields }] })

  assert.deepEqual(await codeOf({ rubric: [exampleRubric[0], exampleRubric[0]] }), [
    422,
    '/rubric/1/key',
    'duplicate_key',
  ])
  assert.deepEqual(await codeOf(criterion({ kind: 'next_step', config: { target: 3 } })), [
    422,
    '/rubric/0/config/target',
    'not_allowed',
  ])
  assert.deepEqual(await codeOf(criterion({ kind: 'keywords' })), [422, '/rubric/0/config/groups', 'required'])
  assert.deepEqual(await codeOf(criterion({ kind: 'pace', config: { min: 200 } })), [
    422,
    '/rubric/0/config/max',
    'minimum',
  ])
  assert.deepEqual(await codeOf(criterion({ kind: 'talk_ratio', config: { max: 2 } })), [
    422,
    '/rubric/0/config/max',
    'maximum',
  ])
  assert.deepEqual(await codeOf({ persona_id: newId() }), [422, '/persona_id', 'unknown_reference'])
  for (const fields of [{ rubric: [] }, { title: '' }, { type: 'chat' }, { max_turns: 3 }, { passing_score: 101 }])
    assert.equal((await codeOf(fields))[0], 422)
})

test('members cannot change scenarios, and other workspaces cannot see them', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { url } = await createScenario(acme)

  for (const user of [acme.member, acme.viewer]) {
    assert.equal((await user.post(scenariosUrl, { title: 'A', type: 'demo', rubric: exampleRubric })).status, 403)
    assert.equal((await user.patch(url, { title: 'B' })).status, 403)
    assert.equal((await user.delete(url)).status, 403)
  }
  assert.equal((await other.manager.get(url)).status, 404)
  assert.equal((await other.manager.patch(url, { title: 'B' })).status, 404)
  assert.equal((await other.manager.delete(url)).status, 404)
  assert.equal((await acme.manager.delete(url)).status, 204)
  assert.equal((await acme.manager.get(url)).status, 404)
})
