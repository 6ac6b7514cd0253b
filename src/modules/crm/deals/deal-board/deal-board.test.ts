import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { dayFromNow, errorCodes, euros, newAccount, newDeal, url } from '../opportunities/opportunities.fixture.ts'

const { tenant, clock } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
type Named = { name: string }
type Stage = {
  key: string
  count: number
  amount: { amount: string }
  weighted: { amount: string }
  items: Named[]
  next_cursor: string | null
}

const board = `${url}board`
const getBoard = async (acme: Acme, query = '') => {
  const { status, body } = await acme.viewer.get(`${board}?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as { pipeline: Named; base_currency: string; as_of: string; stages: Stage[] }
}
const namesOf = (items: Named[]) => items.map(({ name }) => name).join('')
const figuresOf = ({ key, count, amount, weighted, items }: Stage) =>
  [key, count, amount.amount, weighted.amount, namesOf(items)].join(' ').trim()

test('the board has the open deals of each stage by amount, and sums of open and closed deals', async () => {
  const acme = await tenant()
  const account_id = await newAccount(acme)
  const add = (name: string, stage_key: string, more: object = {}) =>
    newDeal(acme, { name, account_id, stage_key, ...more })
  await add('A', 'prospecting', { amount: euros('100'), next_step: 'Call', tags: ['vip'] })
  await add('B', 'prospecting', { amount: euros('300') })
  await add('C', 'prospecting')
  await add('D', 'proposal', { amount: euros('0.01'), probability_rate: 0.5, close_on: dayFromNow(-3) })
  await add('E', 'closed_won', { amount: euros('50') })
  await add('F', 'closed_lost', { amount: euros('70'), lost_reason: 'price', close_on: dayFromNow(400) })
  const deleted = await add('G', 'proposal', { amount: euros('1000') })
  await acme.admin.delete(`${url}${deleted.id}`)

  const { pipeline, base_currency, as_of, stages } = await getBoard(acme)

  assert.deepEqual([pipeline.name, base_currency, typeof as_of], ['Sales', 'EUR', 'string'])
  assert.deepEqual(stages.map(figuresOf), [
    'prospecting 3 400.00 40.00 BAC',
    'qualification 0 0.00 0.00',
    'proposal 1 0.01 0.01 D',
    'negotiation 0 0.00 0.00',
    'closed_won 1 50.00 50.00',
    'closed_lost 1 70.00 0.00',
  ])
  const { items } = (await acme.viewer.get(`${url}?fields=summary&stage_key=prospecting&sort=-amount`)).body
  assert.deepEqual(stages[0]!.items, items)
  assert.partialDeepStrictEqual(stages[0]!.items[1], {
    name: 'A',
    account: { id: account_id, name: 'Initech' },
    owner: { id: acme.member.userId, name: acme.member.name },
    stage_label: 'Prospecting',
    amount: euros('100.00'),
    amount_base: euros('100.00'),
    probability_rate: 0.1,
    next_step: 'Call',
    is_overdue: false,
    days_in_stage: 0,
    tags: ['vip'],
  })
  assert.ok(!('account_id' in stages[0]!.items[0]!))
})

test('the rest of a stage continues in the list of deals', async () => {
  const acme = await tenant()
  const account_id = await newAccount(acme)
  const colleague = await acme.person('member')
  const amounts = ['5', '9', undefined, '7', undefined, '9', '1']
  for (const [index, amount] of amounts.entries())
    await newDeal(acme, {
      name: 'ABCDEFG'[index],
      account_id,
      owner_id: index % 2 ? colleague.userId : acme.member.userId,
      ...(amount && { amount: euros(amount) }),
    })
  const readStage = async (query: string) => {
    const { pipeline, stages } = (await acme.member.get(`${board}?${query}`)).body
    const [stage] = stages
    let [names, cursor] = [namesOf(stage.items), stage.next_cursor]
    const { limit: _, ...filters } = Object.fromEntries(new URLSearchParams(query))
    const list = new URLSearchParams({ ...filters, pipeline_id: pipeline.id, stage_key: stage.key })
    for (let pages = 0; cursor && pages < 9; pages++) {
      const { status, body } = await acme.member.get(`${url}?${list}&kind=open&sort=-amount&limit=2&cursor=${cursor}`)
      assert.equal(status, 200, JSON.stringify(body))
      names += ` ${namesOf(body.items)}`
      cursor = body.next_cursor
    }
    return [stage.count, names].join(' ')
  }

  assert.equal(await readStage('limit=1'), '7 F BD AG EC')
  assert.equal(await readStage('limit=6'), '7 FBDAGE C')
  assert.equal(await readStage('limit=7'), '7 FBDAGEC')
  assert.equal(await readStage('limit=50&owner_id=me'), '4 AGEC')
  assert.equal(await readStage('limit=1&owner_id=me'), '4 A GE C')
  assert.equal(await readStage(`limit=2&owner_id=${colleague.userId}`), '3 FB D')
})

test('a search shows the found deals of each stage, their sums, and their rest in the list of deals', async () => {
  const acme = await tenant()
  const account_id = await newAccount(acme)
  const colleague = await acme.person('member')
  const add = (name: string, stage_key: string, amount: string, more: object = {}) =>
    newDeal(acme, { name, account_id, stage_key, amount: euros(amount), ...more })
  await add('Loom A', 'prospecting', '10')
  await add('Loom B', 'prospecting', '30')
  await add('Loom C', 'prospecting', '20', { owner_id: colleague.userId })
  await add('Press', 'prospecting', '99')
  const won = await add('Loom D', 'closed_won', '50')
  const earlier = await add('Loom E', 'closed_won', '70')
  const deleted = await add('Loom F', 'prospecting', '500')
  await acme.admin.delete(`${url}${deleted.id}`)
  const { as_of, closed_from } = (await acme.viewer.get(`${board}?search=loom`)).body
  await acme.sql(`update crm.opportunities set closed_at = $2::date - 2 where id = $1`, [earlier.id, closed_from])
  await acme.sql(`update crm.opportunities set closed_at = $2 where id = $1`, [won.id, as_of])
  const figures = async (query: string) =>
    (await getBoard(acme, query)).stages.filter(({ count }) => count > 0).map(figuresOf)

  assert.deepEqual(await figures('search=LOO'), [
    'prospecting 3 60.00 6.00 Loom BLoom CLoom A',
    'closed_won 1 50.00 50.00',
  ])
  assert.deepEqual(await figures(`search=loom&owner_id=${colleague.userId}`), ['prospecting 1 20.00 2.00 Loom C'])
  assert.deepEqual(await figures('search=nothing'), [])
  const { pipeline, stages } = (await acme.viewer.get(`${board}?search=loom&limit=1`)).body
  const rest = new URLSearchParams({
    search: 'loom',
    pipeline_id: pipeline.id,
    stage_key: 'prospecting',
    kind: 'open',
    sort: '-amount',
    cursor: stages[0].next_cursor,
  })
  assert.equal(namesOf((await acme.viewer.get(`${url}?${rest}`)).body.items), 'Loom CLoom A')
  const closedSince = { all: [{ not: { field: 'closed_at', op: 'before', value: closed_from } }] }
  const closed = await acme.viewer.get(`${url}?stage_key=closed_won&filter=${JSON.stringify(closedSince)}`)
  assert.equal(namesOf(closed.body.items), 'Loom D')
})

test('the board of a team has the deals of its members, with their rest in the list of deals', async () => {
  const acme = await tenant()
  const account_id = await newAccount(acme)
  const colleague = await acme.person('member')
  const add = (name: string, amount: string, more: object = {}) =>
    newDeal(acme, { name, account_id, stage_key: 'prospecting', amount: euros(amount), ...more })
  await add('A', '10')
  await add('B', '30', { owner_id: colleague.userId })
  await add('C', '20', { owner_id: acme.manager.userId })
  await add('D', '50', { owner_id: colleague.userId, stage_key: 'closed_won' })
  const team = (await acme.admin.post('/api/teams/', { name: 'North' })).body
  for (const { userId } of [acme.member, colleague])
    assert.equal((await acme.admin.post(`/api/teams/${team.id}/members`, { user_id: userId })).status, 201)
  const figures = async (query: string) =>
    (await getBoard(acme, query)).stages.filter(({ count }) => count > 0).map(figuresOf)

  assert.deepEqual(await figures(`team_id=${team.id}`), ['prospecting 2 40.00 4.00 BA', 'closed_won 1 50.00 50.00'])
  assert.deepEqual(await figures(`team_id=${team.id}&owner_id=${acme.member.userId}`), ['prospecting 1 10.00 1.00 A'])
  assert.deepEqual(await figures(`team_id=${team.id}&owner_id=${acme.manager.userId}`), [])
  assert.deepEqual(await figures(`team_id=${newId()}`), [])
  const { pipeline, stages } = (await acme.viewer.get(`${board}?team_id=${team.id}&limit=1`)).body
  const rest = new URLSearchParams({
    team_id: team.id,
    pipeline_id: pipeline.id,
    stage_key: 'prospecting',
    kind: 'open',
  })
  const { items } = (await acme.viewer.get(`${url}?${rest}&sort=-amount&cursor=${stages[0].next_cursor}`)).body
  assert.equal(namesOf(items), 'A')
  assert.equal(namesOf((await acme.viewer.get(`${url}?team_id=${team.id}&sort=-amount`)).body.items), 'DBA')
})

test('a board shows one pipeline, and inactive stages only while they have deals', async () => {
  const acme = await tenant()
  const account_id = await newAccount(acme)
  const stages = [
    { key: 'trial', label: 'Trial', probability_rate: 0.4 },
    { key: 'review', label: 'Review', probability_rate: 0.6 },
    { key: 'won', label: 'Won', kind: 'won' },
    { key: 'lost', label: 'Lost', kind: 'lost' },
  ]
  const { id } = (await acme.manager.post(`${url}pipelines`, { name: 'Renewals', stages })).body
  const deal = await newDeal(acme, { account_id, pipeline_id: id, stage_key: 'review', amount: euros('10') })
  await newDeal(acme, { account_id, amount: euros('99') })
  const replace = (changed: object[], more: object = {}) =>
    acme.manager.put(`${url}pipelines/${id}`, { name: 'Renewals', stages: changed, ...more })
  const figures = async () => (await getBoard(acme, `pipeline_id=${id}`)).stages.map(figuresOf)
  const closed = ['won 0 0.00 0.00', 'lost 0 0.00 0.00']

  assert.deepEqual(await figures(), ['trial 0 0.00 0.00', 'review 1 10.00 6.00 Engines', ...closed])
  await replace(stages.map((stage) => ({ ...stage, ...(stage.key === 'review' && { is_active: false }) })))
  assert.deepEqual(await figures(), ['trial 0 0.00 0.00', 'review 1 10.00 6.00 Engines', ...closed])
  await acme.member.patch(`${url}${deal.id}`, { stage_key: 'trial' })
  assert.deepEqual(await figures(), ['trial 1 10.00 4.00 Engines', ...closed])
  const check = { key: 'check', label: 'Check', probability_rate: 0.5 }
  await replace([check, ...stages.slice(1)], { move_to: { trial: 'check' } })
  assert.deepEqual((await figures()).slice(0, 2), ['check 1 10.00 5.00 Engines', 'review 0 0.00 0.00'])
})

test('closed deals are counted in the fiscal quarter of the workspace in which they were closed', async () => {
  const acme = await tenant()
  const account_id = await newAccount(acme)
  const won = await newDeal(acme, { account_id, amount: euros('10'), stage_key: 'closed_won' })
  await newDeal(acme, { account_id, amount: euros('5'), stage_key: 'closed_lost', lost_reason: 'price' })
  const closed = async (query = '') => (await getBoard(acme, query)).stages.slice(-2).map(figuresOf)
  const closeAt = (at: Date) => acme.sql('update crm.opportunities set closed_at = $2 where id = $1', [won.id, at])
  const none = ['closed_won 0 0.00 0.00', 'closed_lost 1 5.00 0.00']
  const one = ['closed_won 1 10.00 10.00', 'closed_lost 1 5.00 0.00']
  clock.freeze()

  for (const timezone of ['Pacific/Kiritimati', 'America/New_York', 'UTC']) {
    const { rows } = await acme.sql(
      `select extract(month from local)::int as month, date_trunc('month', local) at time zone $2 as start
       from (select $1::timestamptz at time zone $2 as local) as now`,
      [clock.now(), timezone],
    )
    const [{ month, start }] = rows
    await acme.admin.patch('/api/admin/settings', { general: { timezone, fiscal_year_start_month: month } })
    await closeAt(start)
    assert.deepEqual(await closed(), one, timezone)
    assert.deepEqual(await closed(`owner_id=${acme.member.userId}`), one, timezone)
    assert.deepEqual(
      await closed(`owner_id=${newId()}`),
      none.map((text) => text.replace('1 5.00', '0 0.00')),
    )
    await closeAt(new Date(start.getTime() - 1))
    assert.deepEqual(await closed(), none, timezone)
  }
})

test('another workspace, callers without the scope and invalid queries get no board', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await newDeal(acme, { amount: euros('10') })
  const { pipeline } = (await acme.viewer.get(board)).body
  const key = (await acme.admin.post('/api/api-keys', { name: 'Leads', scopes: ['leads.read'] })).body
  const getErrors = async (query: string) => {
    const { status, body } = await acme.viewer.get(`${board}?${query}`)
    return [status, ...(errorCodes(body) ?? [])]
  }

  const foreign = await other.viewer.get(`${board}?pipeline_id=${pipeline.id}`)
  assert.deepEqual([foreign.status, errorCodes(foreign.body)], [422, ['/pipeline_id unknown_reference']])
  assert.deepEqual(
    (await getBoard(other)).stages.map(({ count }) => count),
    [0, 0, 0, 0, 0, 0],
  )
  assert.deepEqual(await getErrors(`pipeline_id=${newId()}`), [422, '/pipeline_id unknown_reference'])
  assert.equal((await acme.bearer(`ApiKey ${key.key}`).get(board)).status, 403)
  assert.deepEqual(await getErrors('limit=51'), [422, '/limit maximum'])
  assert.deepEqual(await getErrors('limit=0'), [422, '/limit minimum'])
  assert.deepEqual(await getErrors('owner_id=you'), [422, '/owner_id pattern'])
  assert.deepEqual(await getErrors('pipeline_id=1'), [422, '/pipeline_id format'])
})
