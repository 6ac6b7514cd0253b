import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { countEvents, dayFromNow, errorCodes, newDeal, url } from '../opportunities/opportunities.fixture.ts'

const { tenant } = await startTestApp()
const pipelines = `${url}pipelines`

type TestStage = { key: string; label?: string; kind?: string; [more: string]: unknown }
const stage = (key: string, more: object = {}): TestStage => ({ key, label: key, probability_rate: 0.5, ...more })
const closedStages: TestStage[] = [
  { key: 'won', label: 'Won', kind: 'won' },
  { key: 'lost', label: 'Lost', kind: 'lost' },
]
const renewals = {
  name: 'Renewals',
  stages: [stage('quoted'), stage('agreed', { forecast_category: 'commit' }), ...closedStages],
}

test('concurrent first requests create one default pipeline', async () => {
  const acme = await tenant()

  const responses = await Promise.all([1, 2, 3, 4].map(() => acme.viewer.get(pipelines)))

  for (const { status, body } of responses) {
    assert.deepEqual([status, body.total], [200, 1])
    assert.equal(body.items[0].id, responses[0]!.body.items[0].id)
  }
  const [sales] = responses[0]!.body.items
  assert.partialDeepStrictEqual(sales, { name: 'Sales', is_default: true, is_active: true, version: 1 })
  assert.deepEqual(
    sales.stages.map((one: TestStage) => [one.key, one.kind, one.probability_rate, one.forecast_category]),
    [
      ['prospecting', 'open', 0.1, 'pipeline'],
      ['qualification', 'open', 0.2, 'pipeline'],
      ['proposal', 'open', 0.5, 'best_case'],
      ['negotiation', 'open', 0.75, 'commit'],
      ['closed_won', 'won', 1, 'closed'],
      ['closed_lost', 'lost', 0, 'omitted'],
    ],
  )
  assert.deepEqual(await acme.audit(), ['pipeline.created'])
})

test('a pipeline is created with its stages and accepts deals', async () => {
  const acme = await tenant()

  const { status, body } = await acme.manager.post(pipelines, renewals)
  const again = await acme.manager.post(pipelines, { ...renewals, name: 'RENEWALS' })
  const sales = await acme.admin.post(pipelines, { ...renewals, name: 'Sales' })
  const opened = await newDeal(acme, { pipeline_id: body.id })
  const moved = await acme.member.patch(`${url}${opened.id}`, { pipeline_id: (await newDeal(acme)).pipeline_id })

  assert.equal(status, 201)
  assert.partialDeepStrictEqual(body, { name: 'Renewals', is_default: false, position: 1 })
  assert.deepEqual(
    body.stages.map((one: TestStage) => [one.key, one.probability_rate, one.forecast_category]),
    [
      ['quoted', 0.5, 'pipeline'],
      ['agreed', 0.5, 'commit'],
      ['won', 1, 'closed'],
      ['lost', 0, 'omitted'],
    ],
  )
  assert.deepEqual([again.status, again.body.existing_id], [409, body.id])
  assert.deepEqual([sales.status, sales.body.code], [409, 'already_exists'])
  assert.deepEqual([opened.stage_key, opened.pipeline.name], ['quoted', 'Renewals'])
  assert.deepEqual([moved.body.stage_key, moved.body.pipeline.name], ['prospecting', 'Sales'])
})

test('invalid stages are rejected with all problems in one response', async () => {
  const acme = await tenant()
  const postStages = async (stages: TestStage[]) => {
    const { status, body } = await acme.manager.post(pipelines, { name: 'Broken', stages })
    return [status, ...(errorCodes(body) ?? [])]
  }

  assert.deepEqual(await postStages([stage('one'), stage('two'), ...closedStages.slice(1)]), [422, '/stages kinds'])
  assert.deepEqual(await postStages([stage('one', { is_active: false }), ...closedStages]), [422, '/stages kinds'])
  assert.deepEqual(await postStages([stage('one'), stage('one'), ...closedStages]), [422, '/stages/1/key duplicate'])
  assert.deepEqual(await postStages([stage('Upper'), ...closedStages]), [422, '/stages/0/key pattern'])
  assert.deepEqual(
    await postStages([
      { key: 'one', label: 'One', forecast_category: 'closed' },
      { ...closedStages[0]!, probability_rate: 0.9, is_active: false },
      { ...closedStages[1]!, forecast_category: 'pipeline' },
    ]),
    [
      422,
      '/stages/0/probability_rate required',
      '/stages/0/forecast_category fixed',
      '/stages/1/probability_rate fixed',
      '/stages/1/is_active fixed',
      '/stages/2/forecast_category fixed',
      '/stages kinds',
    ].filter((problem) => problem !== '/stages kinds'),
  )
  assert.equal((await acme.viewer.get(pipelines)).body.total, 1)
})

test('crm-3-10 removing a stage with deals requires a target stage', async () => {
  const acme = await tenant()
  const pipeline = (await acme.manager.post(pipelines, renewals)).body
  const one = await newDeal(acme, {
    pipeline_id: pipeline.id,
    stage_key: 'agreed',
    amount: { amount: '10', currency: 'EUR' },
  })
  const gone = await newDeal(acme, { pipeline_id: pipeline.id, stage_key: 'agreed' })
  await acme.member.delete(`${url}${gone.id}`)
  const won = await newDeal(acme, {
    pipeline_id: pipeline.id,
    stage_key: 'won',
    amount: { amount: '5', currency: 'EUR' },
  })
  const replace = (more: object, headers = {}) =>
    acme.manager.put(`${pipelines}/${pipeline.id}`, { ...renewals, ...more }, headers)
  const stages = [
    stage('quoted'),
    stage('signed', { probability_rate: 0.9 }),
    { ...closedStages[0]!, key: 'sold' },
    closedStages[1]!,
  ]

  const withoutTarget = await replace({ stages })
  const wrong = await replace({ stages, move_to: { agreed: 'sold', won: 'sold', lost: 'quoted', quoted: 'signed' } })
  const stale = await replace({ stages, move_to: { agreed: 'signed', won: 'sold' } }, { 'if-match': '"9"' })
  const moved = await replace({ stages, move_to: { agreed: 'signed', won: 'sold' } })

  assert.deepEqual(
    [withoutTarget.status, withoutTarget.body.code, withoutTarget.body.counts],
    [409, 'stage_in_use', { agreed: 2, won: 1 }],
  )
  assert.deepEqual(
    [wrong.status, errorCodes(wrong.body)?.sort()],
    [422, ['/move_to/agreed move', '/move_to/lost move', '/move_to/quoted move']],
  )
  assert.equal(stale.status, 412)
  assert.equal(moved.status, 200)
  assert.deepEqual(
    moved.body.stages.map(({ key }: TestStage) => key),
    ['quoted', 'signed', 'sold', 'lost'],
  )
  const shown = (await acme.viewer.get(`${url}${one.id}`)).body
  assert.deepEqual([shown.stage_key, shown.probability_rate], ['signed', 0.9])
  const sold = (await acme.viewer.get(`${url}${won.id}`)).body
  assert.deepEqual([sold.stage_key, sold.kind, sold.closed_at], ['sold', 'won', won.closed_at])
  const { items } = (await acme.viewer.get(`${url}${one.id}/history`)).body
  assert.partialDeepStrictEqual(items[0], {
    from_key: 'agreed',
    to_key: 'signed',
    changed_by: { id: acme.manager.userId },
    amount_base: { amount: '10.00' },
  })
  assert.equal(await countEvents(acme, 'opportunity.stage_changed'), 0)
  assert.equal((await acme.member.post(`${url}${gone.id}/restore`)).body.stage_key, 'signed')
})

test('an inactive stage keeps its deals and accepts no new ones', async () => {
  const acme = await tenant()
  const pipeline = (await acme.manager.post(pipelines, renewals)).body
  const { id } = await newDeal(acme, { pipeline_id: pipeline.id })
  const stages = [stage('quoted', { is_active: false, probability_rate: 0.7 }), ...renewals.stages.slice(1)]
  const kind = [stage('quoted'), { ...closedStages[0]!, key: 'agreed' }, closedStages[1]!]

  const put = await acme.manager.put(`${pipelines}/${pipeline.id}`, { ...renewals, stages })
  const wrongKind = await acme.manager.put(`${pipelines}/${pipeline.id}`, { ...renewals, stages: kind })
  const kept = (await acme.viewer.get(`${url}${id}`)).body
  await acme.member.patch(`${url}${id}`, { stage_key: 'agreed' })
  const back = await acme.member.patch(`${url}${id}`, { stage_key: 'quoted' })

  assert.equal(put.status, 200)
  assert.deepEqual([wrongKind.status, errorCodes(wrongKind.body)], [422, ['/stages/1/kind immutable']])
  assert.deepEqual([kept.stage_key, kept.probability_rate], ['quoted', 0.5])
  assert.deepEqual([back.status, errorCodes(back.body)], [422, ['/stage_key inactive']])
})

test('exactly one pipeline is the default, and it is active', async () => {
  const acme = await tenant()
  const [sales] = (await acme.viewer.get(pipelines)).body.items
  const pipeline = (await acme.manager.post(pipelines, { ...renewals, is_default: true })).body
  const put = (more: object) => acme.manager.put(`${pipelines}/${pipeline.id}`, { ...renewals, ...more })

  const refused = [await put({ is_default: false }), await put({ is_default: true, is_active: false })]
  const { items } = (await acme.viewer.get(pipelines)).body
  const opened = await newDeal(acme)

  for (const { status, body } of refused) assert.deepEqual([status, body.code], [409, 'conflict'])
  assert.deepEqual(
    items.map(({ id, is_default }: { id: string; is_default: boolean }) => [id, is_default]),
    [
      [sales.id, false],
      [pipeline.id, true],
    ],
  )
  assert.equal(opened.pipeline_id, pipeline.id)
  assert.equal((await acme.manager.put(`${pipelines}/${newId()}`, renewals)).status, 404)
  const [foreign] = (await (await tenant()).viewer.get(pipelines)).body.items
  assert.equal((await acme.manager.put(`${pipelines}/${foreign.id}`, renewals)).status, 404)
})

test('deals can move within an inactive pipeline but cannot enter it', async () => {
  const acme = await tenant()
  const pipeline = (await acme.manager.post(pipelines, renewals)).body
  const { id } = await newDeal(acme, { pipeline_id: pipeline.id })
  const elsewhere = await newDeal(acme)

  await acme.manager.put(`${pipelines}/${pipeline.id}`, { ...renewals, is_active: false })
  const moved = await acme.member.patch(`${url}${id}`, { stage_key: 'agreed' })
  const entered = await acme.member.patch(`${url}${elsewhere.id}`, { pipeline_id: pipeline.id })

  assert.deepEqual([moved.status, moved.body.stage_key], [200, 'agreed'])
  assert.deepEqual([entered.status, errorCodes(entered.body)], [422, ['/pipeline_id inactive']])
})

test('a deal moved while its pipeline is replaced closedStages in an existing stage', async () => {
  const acme = await tenant()
  const pipeline = (await acme.manager.post(pipelines, renewals)).body
  const deals = await Promise.all(
    [1, 2, 3, 4].map(() => newDeal(acme, { pipeline_id: pipeline.id, close_on: dayFromNow(3) })),
  )
  const replaced = { ...renewals, stages: [stage('quoted'), ...closedStages], move_to: { agreed: 'quoted' } }

  const responses = await Promise.all([
    ...deals.map(({ id }) => acme.member.patch(`${url}${id}`, { stage_key: 'agreed' })),
    acme.manager.put(`${pipelines}/${pipeline.id}`, replaced),
  ])

  assert.ok(
    responses.every(({ status }) => [200, 422].includes(status)),
    JSON.stringify(responses.map(({ status }) => status)),
  )
  assert.equal(responses.at(-1)!.status, 200)
  for (const { id } of deals) assert.equal((await acme.viewer.get(`${url}${id}`)).body.stage_key, 'quoted')
})
