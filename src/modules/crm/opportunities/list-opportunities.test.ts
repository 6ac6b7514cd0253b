import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { account, contact, dayFromNow, deal, euros, problems, url } from './opportunities.fixture.ts'

const { tenant } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
type Named = { name: string }

const names = async (acme: Acme, query = '') => {
  const { status, body } = await acme.viewer.get(`${url}?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.items.map(({ name }: Named) => name).join('')
}

/** Seven deals called A to G. */
async function sevenDeals(acme: Acme) {
  const [one, other, moss, campaign] = [
    await account(acme, 'Initech'),
    await account(acme, 'Globex'),
    await contact(acme),
    newId(),
  ]
  const laid = await acme.manager.post(`${url}pipelines`, {
    name: 'Renewals',
    stages: [
      { key: 'proposal', label: 'Asked', probability_rate: 0.9, forecast_category: 'commit' },
      { key: 'won', label: 'Won', kind: 'won' },
      { key: 'lost', label: 'Lost', kind: 'lost' },
    ],
  })
  const late = { close_on: dayFromNow(-3) }
  const open = (days: number) => ({ close_on: dayFromNow(days) })
  await deal(acme, { name: 'A', account_id: one, ...open(10), amount: euros('300'), primary_contact_id: moss })
  await deal(acme, { name: 'B', account_id: one, ...late, amount: euros('100'), stage_key: 'proposal' })
  await deal(acme, { name: 'C', account_id: other, ...open(30), owner_id: acme.manager.userId, tags: ['vip'] })
  const d = await deal(acme, { name: 'D', account_id: other, ...open(20), amount: euros('200'), campaign_id: campaign })
  await deal(acme, { name: 'E', account_id: one, ...open(0), amount: euros('50'), stage_key: 'closed_won' })
  await deal(acme, { name: 'F', account_id: one, ...open(5), stage_key: 'closed_lost', lost_reason: 'price' })
  await deal(acme, { name: 'G', account_id: one, ...open(10), amount: euros('300'), pipeline_id: laid.body.id })
  await acme.member.post(`${url}${d.id}/contacts`, { contact_id: moss })
  return { one, other, moss, campaign, renewals: laid.body.id as string }
}

test('deals are found by every filter, alone and together', async () => {
  const acme = await tenant()
  const { other, moss, campaign, renewals } = await sevenDeals(acme)
  const me = `owner_id=${acme.manager.userId}`

  assert.equal(await names(acme), 'BEFAGDC')
  assert.equal(await names(acme, 'kind=won'), 'E')
  assert.equal(await names(acme, 'kind=won,lost'), 'EF')
  assert.equal(await names(acme, `account_id=${other}`), 'DC')
  assert.equal(await names(acme, me), 'C')
  assert.equal(await names(acme, `owner_id=${acme.member.userId}&kind=open`), 'BAGD')
  assert.equal(await names(acme, `contact_id=${moss}`), 'AD')
  assert.equal(await names(acme, `campaign_id=${campaign}`), 'D')
  assert.equal(await names(acme, `pipeline_id=${renewals}`), 'G')
  assert.equal(await names(acme, 'stage_key=proposal'), 'BG')
  assert.equal(await names(acme, `stage_key=proposal,won&pipeline_id=${renewals}`), 'G')
  assert.equal(await names(acme, 'stage_key=nowhere'), '')
  assert.equal(await names(acme, 'forecast_category=commit,best_case'), 'BG')
  assert.equal(await names(acme, `close_from=${dayFromNow(5)}&close_to=${dayFromNow(10)}`), 'FAG')
  assert.equal(await names(acme, 'amount_min=200'), 'AGD')
  assert.equal(await names(acme, 'amount_min=100&amount_max=200.00'), 'BD')
  assert.equal(await names(acme, 'overdue=true'), 'B')
  assert.equal(await names(acme, 'overdue=true&kind=won'), '')
  assert.equal(await names(acme, 'overdue=true&kind=open,won'), 'B')
  assert.equal(await names(acme, 'search=glob'), 'DC')
  const rule = { field: 'tags', op: 'contains_any', value: ['vip'] }
  assert.equal(await names(acme, `filter=${encodeURIComponent(JSON.stringify(rule))}`), 'C')
  for (const filter of ['account_id', 'contact_id', 'campaign_id', 'pipeline_id', 'owner_id'])
    assert.equal(await names(acme, `${filter}=${newId()}`), '', filter)
})

test('deals are sorted both ways, those without an amount last, and pages neither repeat nor skip', async () => {
  const acme = await tenant()
  const { one } = await sevenDeals(acme)
  const walked = async (query: string) => {
    let [seen, next] = ['', `${url}?${query}&limit=2`]
    for (let pages = 0; next && pages < 6; pages++) {
      const { body } = await acme.viewer.get(next)
      seen += body.items.map(({ name }: Named) => name).join('')
      next = body.next_cursor ? `${url}?${query}&limit=2&cursor=${body.next_cursor}` : ''
    }
    return seen
  }

  assert.equal(await walked('sort=close_on'), 'BEFAGDC')
  assert.equal(await walked('sort=-close_on'), 'CDGAFEB')
  assert.equal(await walked('sort=amount'), 'EBDAGCF')
  assert.equal(await walked('sort=-amount'), 'GADBEFC')
  assert.equal(await walked('sort=name'), 'ABCDEFG')
  assert.equal(await walked('sort=-name'), 'GFEDCBA')
  assert.equal(await walked('sort=created_at'), 'ABCDEFG')
  assert.equal(await walked('sort=-updated_at'), 'GFEDCBA')
  assert.equal(await walked('kind=open,won,lost&sort=close_on'), 'BEFAGDC')
  assert.equal(await walked('stage_key=prospecting,proposal&sort=-amount'), 'GADBC')
  assert.equal(await walked(`account_id=${one}&sort=-close_on`), 'GAFEB')
  assert.equal(await names(acme, 'limit=2&offset=2'), 'FA')
})

test('a cursor stays with its list, and a list that makes no sense is refused', async () => {
  const acme = await tenant()
  await sevenDeals(acme)
  const { next_cursor } = (await acme.viewer.get(`${url}?limit=2`)).body
  const refusal = async (query: string) => {
    const { status, body } = await acme.viewer.get(`${url}?${query}`)
    return [status, ...(problems(body) ?? [])]
  }

  assert.deepEqual(await refusal(`cursor=${next_cursor}&sort=name`), [422, '/cursor cursor'])
  assert.deepEqual(await refusal(`cursor=${next_cursor}&kind=open`), [422, '/cursor cursor'])
  assert.deepEqual(await refusal('close_from=2026-02-01&close_to=2026-01-01'), [422, '/close_to order'])
  assert.deepEqual(await refusal('amount_min=5&amount_max=4'), [422, '/amount_max order'])
  assert.deepEqual(await refusal('amount_min=1.005'), [422, '/amount_min digits'])
  assert.deepEqual(await refusal('sort=owner'), [422, '/sort enum'])
  assert.deepEqual(await refusal('filter=%7B%7B'), [422, '/filter json'])
})

test('an account and a contact know their deals', async () => {
  const acme = await tenant()
  const { other, moss } = await sevenDeals(acme)

  const ofAccount = await acme.viewer.get(`/api/accounts/${other}/opportunities?sort=-close_on`)
  const ofContact = await acme.viewer.get(`/api/contacts/${moss}/opportunities`)

  assert.deepEqual(
    [ofAccount, ofContact].map(({ body }) => body.items.map(({ name }: Named) => name).join('')),
    ['CD', 'AD'],
  )
  for (const gone of ['accounts', 'contacts'])
    assert.equal((await acme.viewer.get(`/api/${gone}/${newId()}/opportunities`)).status, 404)
})
