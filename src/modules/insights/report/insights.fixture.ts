import assert from 'node:assert/strict'
import { newId } from '#platform/ids'
import type { startTestApp } from '#testing'

type TestApp = Awaited<ReturnType<typeof startTestApp>>
type Acme = Awaited<ReturnType<TestApp['tenant']>>
type Deal = { kind?: string; closed?: number; amount?: string; currency?: string; created?: number }

/** Deals and views of buyers, at times before the clock of the application. */
export function insightRecords({ clock }: Pick<TestApp, 'clock'>) {
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000)

  async function prepareDeals(acme: Acme, industry = 'retail') {
    const { body: account } = await acme.member.post('/api/accounts/', { name: 'Globex', industry })
    return async ({ kind = 'open', closed, amount = '100.00', currency = 'EUR', created = 300 }: Deal = {}) => {
      const deal = { name: kind, account_id: account.id, amount: { amount, currency }, close_on: '2039-01-01' }
      const { status, body, text } = await acme.member.post('/api/opportunities/', deal)
      assert.equal(status, 201, text)
      await acme.sql(
        `update crm.opportunities set kind = $2, created_at = $3, closed_at = $4, lost_reason = case when $2 = 'lost' then 'price' end,
         stage_key = case when $2 = 'open' then 'negotiation' else stage_key end
       where id = $1`,
        [body.id, kind, daysAgo(created), closed === undefined ? null : daysAgo(closed)],
      )
      return body.id as string
    }
  }

  async function insertView(acme: Acme, itemId: string, dealId: string, days: number, fields: object = {}) {
    const view = { active_seconds: 5, is_internal: false, is_bot: false, ...fields }
    await acme.sql(
      `insert into enablement.content_views (tenant_id, id, item_id, source, visitor_id, opportunity_id, started_at, last_event_at,
       active_seconds, heartbeats, is_internal, is_bot)
     values ($1, $2, $3, 'room', $4, $5, $6, $6, $7, 1, $8, $9)`,
      [acme.id, newId(), itemId, newId(), dealId, daysAgo(days), view.active_seconds, view.is_internal, view.is_bot],
    )
  }

  return { daysAgo, prepareDeals, insertView }
}

export const markChanged = (acme: Acme) =>
  acme.sql('insert into enablement.insight_marks (tenant_id, id) values ($1, $2)', [acme.id, newId()])
