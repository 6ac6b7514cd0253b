import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import {
  dayFromNow,
  errorCodes,
  euros,
  newAccount,
  newCampaignId,
  newContact,
  newDeal,
  url,
} from './opportunities.fixture.ts'

const { tenant } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
type Named = { name: string }

const names = async (acme: Acme, query = '') => {
  const { status, body } = await acme.viewer.get(`${url}?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.items.map(({ name }: Named) => name).join('')
}

/** Creates deals named A to G. */
async function sevenDeals(acme: Acme) {
  const [one, other, moss, campaign] = [
    await newAccount(acme, 'Initech'),
    await newAccount(acme, 'Globex'),
    await newContact(acme),
    await newCampaignId(acme),
  ]
  const pipeline = await acme.manager.post(`${url}pipelines`, {
    name: 'Renewals',
    stages: [
      { key: 'proposal', label: 'Requested', probability_rate: 0.9, forecast_category: 'commit' },
      { key: 'won', label: 'Won', kind: 'won' },
      { key: 'lost', label: 'Lost', kind: 'lost' },
    ],
  })
  const late = { close_on: dayFromNow(-3) }
  const open = (days: number) => ({ close_on: dayFromNow(days) })
  await newDeal(acme, { name: 'A', account_id: one, ...open(10), amount: euros('300'), primary_contact_id: moss })
  await newDeal(acme, { name: 'B', account_id: one, ...late, amount: euros('100'), stage_key: 'proposal' })
  await newDeal(acme, { name: 'C', account_id: other, ...open(30), owner_id: acme.manager.userId, tags: ['vip'] })
  const d = await newDeal(acme, {
    name: 'D',
    account_id: other,
    ...open(20),
    amount: euros('200'),
    campaign_id: campaign,
  })
  await newDeal(acme, { name: 'E', account_id: one, ...open(0), amount: euros('50'), stage_key: 'closed_won' })
  await newDeal(acme, { name: 'F', account_id: one, ...open(5), stage_key: 'closed_lost', lost_reason: 'price' })
  await newDeal(acme, { name: 'G', account_id: one, ...open(10), amount: euros('300'), pipeline_id: pipeline.body.id })
  await acme.member.post(`${url}${d.id}/contacts`, { contact_id: moss })
  return { one, other, moss, campaign, renewals: pipeline.body.id as string }
}

test('every filter works alone and combined', async () => {
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

test('sorting works in both directions with missing amounts last, and pages neither repeat nor skip deals', async () => {
  const acme = await tenant()
  const { one } = await sevenDeals(acme)
  const readAll = async (query: string) => {
    let [names, next] = ['', `${url}?${query}&limit=2`]
    for (let pages = 0; next && pages < 6; pages++) {
      const { body } = await acme.viewer.get(next)
      names += body.items.map(({ name }: Named) => name).join('')
      next = body.next_cursor ? `${url}?${query}&limit=2&cursor=${body.next_cursor}` : ''
    }
    return names
  }

  assert.equal(await readAll('sort=close_on'), 'BEFAGDC')
  assert.equal(await readAll('sort=-close_on'), 'CDGAFEB')
  assert.equal(await readAll('sort=amount'), 'EBDAGCF')
  assert.equal(await readAll('sort=-amount'), 'GADBEFC')
  assert.equal(await readAll('sort=name'), 'ABCDEFG')
  assert.equal(await readAll('sort=-name'), 'GFEDCBA')
  assert.equal(await readAll('sort=created_at'), 'ABCDEFG')
  assert.equal(await readAll('sort=-updated_at'), 'GFEDCBA')
  assert.equal(await readAll('kind=open,won,lost&sort=close_on'), 'BEFAGDC')
  assert.equal(await readAll('stage_key=prospecting,proposal&sort=-amount'), 'GADBC')
  assert.equal(await readAll(`account_id=${one}&sort=-close_on`), 'GAFEB')
  assert.equal(await names(acme, 'limit=2&offset=2'), 'FA')
})

test('a cursor of another list and invalid filters are rejected', async () => {
  const acme = await tenant()
  await sevenDeals(acme)
  const { next_cursor } = (await acme.viewer.get(`${url}?limit=2`)).body
  const getErrors = async (query: string) => {
    const { status, body } = await acme.viewer.get(`${url}?${query}`)
    return [status, ...(errorCodes(body) ?? [])]
  }

  assert.deepEqual(await getErrors(`cursor=${next_cursor}&sort=name`), [422, '/cursor cursor'])
  assert.deepEqual(await getErrors(`cursor=${next_cursor}&kind=open`), [422, '/cursor cursor'])
  assert.deepEqual(await getErrors('close_from=2026-02-01&close_to=2026-01-01'), [422, '/close_to order'])
  assert.deepEqual(await getErrors('amount_min=5&amount_max=4'), [422, '/amount_max order'])
  assert.deepEqual(await getErrors('amount_min=1.005'), [422, '/amount_min digits'])
  assert.deepEqual(await getErrors('sort=owner'), [422, '/sort enum'])
  assert.deepEqual(await getErrors('filter=%7B%7B'), [422, '/filter json'])
})

test('deals of an account and of a contact are listed', async () => {
  const acme = await tenant()
  const { other, moss } = await sevenDeals(acme)

  const ofAccount = await acme.viewer.get(`/api/accounts/${other}/opportunities?sort=-close_on`)
  const ofContact = await acme.viewer.get(`/api/contacts/${moss}/opportunities`)

  assert.deepEqual(
    [ofAccount, ofContact].map(({ body }) => body.items.map(({ name }: Named) => name).join('')),
    ['CD', 'AD'],
  )
  for (const resource of ['accounts', 'contacts'])
    assert.equal((await acme.viewer.get(`/api/${resource}/${newId()}/opportunities`)).status, 404)
})
