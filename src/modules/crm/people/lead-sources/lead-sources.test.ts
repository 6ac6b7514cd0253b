import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { createLeadWith } from '../leads/leads.fixture.ts'

const { tenant } = await startTestApp()
const url = (key: string) => `/api/leads/sources/${key}`

test('managers create and replace lead sources and their spend', async () => {
  const acme = await tenant()
  await createLeadWith(acme, { source: 'fair_2026' })
  const spend = [
    { month: '2026-03', amount: { amount: '1000.00', currency: 'EUR' } },
    { month: '2026-02', amount: { amount: '3000', currency: 'EUR' } },
  ]

  const created = await acme.manager.put(url('fair_2026'), { label: 'Spring fair', channel: 'event', spend })
  const again = await acme.manager.put(url('fair_2026'), {
    label: 'Spring fair',
    is_active: false,
    spend: [{ month: '2026-03', amount: { amount: '900', currency: 'EUR' } }],
  })
  const added = await acme.manager.put(url('podcast'), { label: 'Podcast' })

  assert.equal(created.status, 200)
  assert.partialDeepStrictEqual(created.body, {
    key: 'fair_2026',
    label: 'Spring fair',
    channel: 'event',
    is_active: true,
  })
  assert.deepEqual(created.body.spend, [
    { month: '2026-02', amount: { amount: '3000.00', currency: 'EUR' } },
    { month: '2026-03', amount: { amount: '1000.00', currency: 'EUR' } },
  ])
  assert.deepEqual(
    [again.body.is_active, again.body.channel, again.body.spend],
    [false, 'other', [{ month: '2026-03', amount: { amount: '900.00', currency: 'EUR' } }]],
  )
  assert.partialDeepStrictEqual(added.body, {
    key: 'podcast',
    label: 'Podcast',
    channel: 'other',
    is_active: true,
    spend: [],
  })
  await createLeadWith(acme, { source: 'fair_2026' })
  const { rows } = await acme.sql('select key, label from crm.lead_sources where tenant_id = $1 order by key', [
    acme.id,
  ])
  assert.deepEqual(
    rows.map(({ key, label }) => [key, label]),
    [
      ['fair_2026', 'Spring fair'],
      ['podcast', 'Podcast'],
    ],
  )
  assert.equal((await acme.audit()).filter((action) => action === 'lead_source.updated').length, 3)
})

test('invalid lead sources and requests of members are rejected', async () => {
  const acme = await tenant()
  const eur = (amount: string) => ({ amount, currency: 'EUR' })
  const errorOf = async (spend: object[], key = 'web') => {
    const { status, body } = await acme.manager.put(url(key), { label: 'Web', spend })
    return [status, body.errors?.[0]?.path]
  }

  assert.deepEqual(await errorOf([{ month: '2026-13', amount: eur('1') }]), [422, '/spend/0/month'])
  assert.deepEqual(
    await errorOf([
      { month: '2026-03', amount: eur('1') },
      { month: '2026-03', amount: eur('2') },
    ]),
    [422, '/spend/1/month'],
  )
  assert.deepEqual(await errorOf([{ month: '2026-03', amount: eur('-1') }]), [422, '/spend/0/amount/amount'])
  assert.deepEqual(await errorOf([{ month: '2026-03', amount: { amount: '1', currency: 'USD' } }]), [
    422,
    '/spend/0/amount/currency',
  ])
  assert.deepEqual(await errorOf([], 'Bad%20Key'), [422, '/source_key'])
  assert.equal((await acme.member.put(url('web'), { label: 'Web' })).body.code, 'role_required')
  const { rows } = await acme.sql('select key from crm.lead_sources where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [])
})
