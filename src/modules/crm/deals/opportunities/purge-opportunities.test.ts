import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { inTenant } from '#platform/db'
import { startTestApp } from '#testing'
import { purgeableRecords, purgeDeletedBatch } from '../../records/removal/purge-deleted.queries.ts'
import { recalculateBaseAmountsBatch } from './base-amounts.service.ts'
import { euros, newAccount, newContact, newDeal, url } from './opportunities.fixture.ts'

const { tenant, db, clock } = await startTestApp()

test('deals deleted more than 30 days ago are purged with their own data', async () => {
  const acme = await tenant()
  const [account_id, moss] = [await newAccount(acme), await newContact(acme)]
  const [old, recent, live] = [
    await newDeal(acme, { account_id, tags: ['vip'] }),
    await newDeal(acme, { account_id }),
    await newDeal(acme, { account_id }),
  ]
  const lead = (await acme.member.post('/api/leads/', { last_name: 'Moss' })).body
  await acme.sql('update crm.leads set converted_opportunity_id = $2 where id = $1', [lead.id, old.id])
  await acme.member.post(`${url}${old.id}/contacts`, { contact_id: moss })
  await acme.member.patch(`${url}${old.id}`, { stage_key: 'proposal' })
  await acme.sql(
    `insert into crm.activities (tenant_id, id, opportunity_id, account_id, type, direction, occurred_at, actor_type, source)
     values ($1, gen_random_uuid(), $2, $3, 'call', 'out', now(), 'user', 'manual')`,
    [acme.id, old.id, account_id],
  )
  for (const { id } of [old, recent]) await acme.member.delete(`${url}${id}`)
  await acme.sql(`update crm.opportunities set deleted_at = now() - interval '31 days' where id = $1`, [old.id])
  const deals = purgeableRecords.find(({ type }) => type === 'opportunity')!
  const purge = () =>
    inTenant(db, systemActor(acme.id), (tx) => purgeDeletedBatch(tx, deals, daysLater(clock.now(), -30)))

  assert.equal((await acme.member.post(`${url}${old.id}/restore`)).status, 404)
  assert.deepEqual([await purge(), await purge()], [1, 0])

  const { rows } = await acme.sql('select id from crm.opportunities where tenant_id = $1 order by id', [acme.id])
  assert.deepEqual(
    rows.map(({ id }) => id),
    [recent.id, live.id],
  )
  const calls = await acme.sql('select type, opportunity_id from crm.activities where account_id = $1', [account_id])
  assert.deepEqual(calls.rows, [{ type: 'call', opportunity_id: null }])
  const tags = await acme.sql('select tag from crm.record_tags where record_id = $1', [old.id])
  assert.deepEqual(tags.rows, [])
  const { body } = await acme.viewer.get(`/api/leads/${lead.id}`)
  assert.deepEqual([body.converted_opportunity_id, body.version], [null, lead.version])
})

test('base amounts are recalculated in batches, and a second run changes nothing', async () => {
  const acme = await tenant()
  await acme.manager.put('/api/leads/settings', { currency_rates: { USD: '0.50', JPY: '0.006' } })
  const account_id = await newAccount(acme)
  const priced = (amount: string, currency: string) => newDeal(acme, { account_id, amount: { amount, currency } })
  const [dollars, yen, own] = [await priced('3.33', 'USD'), await priced('1000', 'JPY'), await priced('7', 'EUR')]
  const bases = async () => {
    const { rows } = await acme.sql(
      'select amount_base_minor from crm.opportunities where tenant_id = $1 order by id',
      [acme.id],
    )
    return rows.map(({ amount_base_minor }) => Number(amount_base_minor))
  }
  const recalculate = (after: string | null) =>
    inTenant(db, systemActor(acme.id), (tx) => recalculateBaseAmountsBatch(tx, after))

  assert.deepEqual(await bases(), [167, 600, 700])
  await acme.manager.put('/api/leads/settings', { currency_rates: { USD: '0.25' } })
  const first = await recalculate(null)

  assert.deepEqual([first, await recalculate(first!.next)], [{ next: yen.id, changed: 1 }, null])
  assert.deepEqual(await bases(), [83, 600, 700], 'a deal without a rate keeps its base amount')
  assert.deepEqual(await recalculate(null), { next: yen.id, changed: 0 })
  assert.deepEqual([dollars.amount_base, own.amount_base], [euros('1.67'), euros('7.00')])
})
