import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { announced, dayFromNow, deal, problems, url } from './opportunities.fixture.ts'

const { tenant } = await startTestApp()
const pipelines = `${url}pipelines`

type Written = { key: string; label?: string; kind?: string; [more: string]: unknown }
const stage = (key: string, more: object = {}): Written => ({ key, label: key, probability_rate: 0.5, ...more })
const ends: Written[] = [
  { key: 'won', label: 'Won', kind: 'won' },
  { key: 'lost', label: 'Lost', kind: 'lost' },
]
const renewals = {
  name: 'Renewals',
  stages: [stage('asked'), stage('agreed', { forecast_category: 'commit' }), ...ends],
}

test('a workspace begins with one pipeline, however many ask for it at once', async () => {
  const acme = await tenant()

  const answers = await Promise.all([1, 2, 3, 4].map(() => acme.viewer.get(pipelines)))

  for (const { status, body } of answers) {
    assert.deepEqual([status, body.total], [200, 1])
    assert.equal(body.items[0].id, answers[0]!.body.items[0].id)
  }
  const [sales] = answers[0]!.body.items
  assert.partialDeepStrictEqual(sales, { name: 'Sales', is_default: true, is_active: true, version: 1 })
  assert.deepEqual(
    sales.stages.map((one: Written) => [one.key, one.kind, one.probability_rate, one.forecast_category]),
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

test('a pipeline is laid with its stages, and deals go into it', async () => {
  const acme = await tenant()

  const { status, body } = await acme.manager.post(pipelines, renewals)
  const again = await acme.manager.post(pipelines, { ...renewals, name: 'RENEWALS' })
  const sales = await acme.admin.post(pipelines, { ...renewals, name: 'Sales' })
  const opened = await deal(acme, { pipeline_id: body.id })
  const moved = await acme.member.patch(`${url}${opened.id}`, { pipeline_id: (await deal(acme)).pipeline_id })

  assert.equal(status, 201)
  assert.partialDeepStrictEqual(body, { name: 'Renewals', is_default: false, position: 1 })
  assert.deepEqual(
    body.stages.map((one: Written) => [one.key, one.probability_rate, one.forecast_category]),
    [
      ['asked', 0.5, 'pipeline'],
      ['agreed', 0.5, 'commit'],
      ['won', 1, 'closed'],
      ['lost', 0, 'omitted'],
    ],
  )
  assert.deepEqual([again.status, again.body.existing_id], [409, body.id])
  assert.deepEqual([sales.status, sales.body.code], [409, 'already_exists'])
  assert.deepEqual([opened.stage_key, opened.pipeline.name], ['asked', 'Renewals'])
  assert.deepEqual([moved.body.stage_key, moved.body.pipeline.name], ['prospecting', 'Sales'])
})

test('stages that do not make a pipeline are refused, all problems at once', async () => {
  const acme = await tenant()
  const refusal = async (stages: Written[]) => {
    const { status, body } = await acme.manager.post(pipelines, { name: 'Broken', stages })
    return [status, ...(problems(body) ?? [])]
  }

  assert.deepEqual(await refusal([stage('one'), stage('two'), ...ends.slice(1)]), [422, '/stages kinds'])
  assert.deepEqual(await refusal([stage('one', { is_active: false }), ...ends]), [422, '/stages kinds'])
  assert.deepEqual(await refusal([stage('one'), stage('one'), ...ends]), [422, '/stages/1/key duplicate'])
  assert.deepEqual(await refusal([stage('Upper'), ...ends]), [422, '/stages/0/key pattern'])
  assert.deepEqual(
    await refusal([
      { key: 'one', label: 'One', forecast_category: 'closed' },
      { ...ends[0]!, probability_rate: 0.9, is_active: false },
      { ...ends[1]!, forecast_category: 'pipeline' },
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

test('crm-3-10 a stage with deals goes only when it is said where they go', async () => {
  const acme = await tenant()
  const laid = (await acme.manager.post(pipelines, renewals)).body
  const one = await deal(acme, { pipeline_id: laid.id, stage_key: 'agreed', amount: { amount: '10', currency: 'EUR' } })
  const gone = await deal(acme, { pipeline_id: laid.id, stage_key: 'agreed' })
  await acme.member.delete(`${url}${gone.id}`)
  const won = await deal(acme, { pipeline_id: laid.id, stage_key: 'won', amount: { amount: '5', currency: 'EUR' } })
  const replace = (more: object, headers = {}) =>
    acme.manager.put(`${pipelines}/${laid.id}`, { ...renewals, ...more }, headers)
  const stages = [stage('asked'), stage('signed', { probability_rate: 0.9 }), { ...ends[0]!, key: 'sold' }, ends[1]!]

  const stranded = await replace({ stages })
  const wrong = await replace({ stages, move_to: { agreed: 'sold', won: 'sold', lost: 'asked', asked: 'signed' } })
  const stale = await replace({ stages, move_to: { agreed: 'signed', won: 'sold' } }, { 'if-match': '"9"' })
  const moved = await replace({ stages, move_to: { agreed: 'signed', won: 'sold' } })

  assert.deepEqual(
    [stranded.status, stranded.body.code, stranded.body.counts],
    [409, 'stage_in_use', { agreed: 2, won: 1 }],
  )
  assert.deepEqual(
    [wrong.status, problems(wrong.body)?.sort()],
    [422, ['/move_to/agreed move', '/move_to/asked move', '/move_to/lost move']],
  )
  assert.equal(stale.status, 412)
  assert.equal(moved.status, 200)
  assert.deepEqual(
    moved.body.stages.map(({ key }: Written) => key),
    ['asked', 'signed', 'sold', 'lost'],
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
  assert.equal(await announced(acme, 'opportunity.stage_changed'), 0)
  assert.equal((await acme.member.post(`${url}${gone.id}/restore`)).body.stage_key, 'signed')
})

test('a stage that is no longer active keeps its deals and takes no more', async () => {
  const acme = await tenant()
  const laid = (await acme.manager.post(pipelines, renewals)).body
  const { id } = await deal(acme, { pipeline_id: laid.id })
  const stages = [stage('asked', { is_active: false, probability_rate: 0.7 }), ...renewals.stages.slice(1)]
  const kind = [stage('asked'), { ...ends[0]!, key: 'agreed' }, ends[1]!]

  const put = await acme.manager.put(`${pipelines}/${laid.id}`, { ...renewals, stages })
  const wrongKind = await acme.manager.put(`${pipelines}/${laid.id}`, { ...renewals, stages: kind })
  const kept = (await acme.viewer.get(`${url}${id}`)).body
  await acme.member.patch(`${url}${id}`, { stage_key: 'agreed' })
  const back = await acme.member.patch(`${url}${id}`, { stage_key: 'asked' })

  assert.equal(put.status, 200)
  assert.deepEqual([wrongKind.status, problems(wrongKind.body)], [422, ['/stages/1/kind immutable']])
  assert.deepEqual([kept.stage_key, kept.probability_rate], ['asked', 0.5])
  assert.deepEqual([back.status, problems(back.body)], [422, ['/stage_key inactive']])
})

test('exactly one pipeline is the default, and it is active', async () => {
  const acme = await tenant()
  const [sales] = (await acme.viewer.get(pipelines)).body.items
  const laid = (await acme.manager.post(pipelines, { ...renewals, is_default: true })).body
  const put = (more: object) => acme.manager.put(`${pipelines}/${laid.id}`, { ...renewals, ...more })

  const refused = [await put({ is_default: false }), await put({ is_default: true, is_active: false })]
  const { items } = (await acme.viewer.get(pipelines)).body
  const opened = await deal(acme)

  for (const { status, body } of refused) assert.deepEqual([status, body.code], [409, 'conflict'])
  assert.deepEqual(
    items.map(({ id, is_default }: { id: string; is_default: boolean }) => [id, is_default]),
    [
      [sales.id, false],
      [laid.id, true],
    ],
  )
  assert.equal(opened.pipeline_id, laid.id)
  assert.equal((await acme.manager.put(`${pipelines}/${newId()}`, renewals)).status, 404)
  const [foreign] = (await (await tenant()).viewer.get(pipelines)).body.items
  assert.equal((await acme.manager.put(`${pipelines}/${foreign.id}`, renewals)).status, 404)
})

test('a pipeline that is no longer active lets its deals go on, and takes no more', async () => {
  const acme = await tenant()
  const laid = (await acme.manager.post(pipelines, renewals)).body
  const { id } = await deal(acme, { pipeline_id: laid.id })
  const elsewhere = await deal(acme)

  await acme.manager.put(`${pipelines}/${laid.id}`, { ...renewals, is_active: false })
  const went = await acme.member.patch(`${url}${id}`, { stage_key: 'agreed' })
  const entered = await acme.member.patch(`${url}${elsewhere.id}`, { pipeline_id: laid.id })

  assert.deepEqual([went.status, went.body.stage_key], [200, 'agreed'])
  assert.deepEqual([entered.status, problems(entered.body)], [422, ['/pipeline_id inactive']])
})

test('a deal that is moved while its pipeline is replaced ends in a stage that is there', async () => {
  const acme = await tenant()
  const laid = (await acme.manager.post(pipelines, renewals)).body
  const deals = await Promise.all([1, 2, 3, 4].map(() => deal(acme, { pipeline_id: laid.id, close_on: dayFromNow(3) })))
  const replaced = { ...renewals, stages: [stage('asked'), ...ends], move_to: { agreed: 'asked' } }

  const answers = await Promise.all([
    ...deals.map(({ id }) => acme.member.patch(`${url}${id}`, { stage_key: 'agreed' })),
    acme.manager.put(`${pipelines}/${laid.id}`, replaced),
  ])

  assert.ok(
    answers.every(({ status }) => [200, 422].includes(status)),
    JSON.stringify(answers.map(({ status }) => status)),
  )
  assert.equal(answers.at(-1)!.status, 200)
  for (const { id } of deals) assert.equal((await acme.viewer.get(`${url}${id}`)).body.stage_key, 'asked')
})
