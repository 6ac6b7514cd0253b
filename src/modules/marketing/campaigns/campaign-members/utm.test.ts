import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLeads } from '#modules/crm'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { countStatements, startTestApp } from '#testing'
import {
  getCampaign,
  getKpis,
  listMembers,
  newCampaign,
  newLead,
  updateCampaign,
} from '../campaigns/campaigns.fixture.ts'

const { tenant, db, services } = await startTestApp({}, { isOwn: true })

test('crm-4-9 a new lead with the UTM campaign, in any case, becomes a member that has responded', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { id } = await newCampaign(acme, { utm_campaign: 'spring', type: 'paid_search' })
  const foreign = await newCampaign(other, { utm_campaign: 'spring' })

  const lead = await newLead(acme, { utm: { campaign: 'SPRING' } })
  await newLead(acme, { utm: { campaign: 'autumn' } })

  const [member, ...others] = await listMembers(acme, id)
  assert.deepEqual(others, [])
  assert.deepEqual([member.lead.id, member.status, member.added_via], [lead, 'clicked', 'utm'])
  assert.equal(member.responded, true)
  assert.equal((await getCampaign(other, foreign.id)).member_count, 0)
  assert.equal((await getKpis(acme, id)).new_leads, 1)
  const { items } = (await acme.member.get(`/api/leads/${lead}/activities`)).body
  assert.ok(items.some(({ type }: { type: string }) => type === 'campaign_responded'))
})

test('a closed campaign takes no leads of its link', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme, { utm_campaign: 'spring' })
  await updateCampaign(acme, id, { status: 'active' })
  await updateCampaign(acme, id, { status: 'completed' })

  await newLead(acme, { utm: { campaign: 'spring' } })

  assert.equal((await getCampaign(acme, id)).member_count, 0)
})

test('the number of statements does not depend on the number of leads, and is one without a UTM campaign', async () => {
  const acme = await tenant()
  const create = async (leads: number) => {
    const inputs = Array.from({ length: leads }, (_, n) => ({ last_name: `Moss ${n}`, utm: { campaign: 'Spring' } }))
    const { statements } = await countStatements(db.pool, () =>
      inTenant(db, systemActor(acme.id), (tx) => createLeads(tx, systemActor(acme.id), inputs, services)),
    )
    return statements
  }
  const without = await create(2)
  const { id } = await newCampaign(acme, { utm_campaign: 'spring' })

  const [two, fifty] = [await create(2), await create(50)]

  assert.equal(fifty, two)
  assert.ok(without < two)
  const { member_count, responded_count } = await getCampaign(acme, id)
  assert.deepEqual([member_count, responded_count], [52, 52])
})
