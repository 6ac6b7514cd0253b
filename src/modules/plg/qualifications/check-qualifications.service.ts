import { addDays, dayInTimezone } from '#platform/calendar'
import type { Page, TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { listActorsByIds } from '../actors/actors.queries.ts'
import { presentActors } from '../actors/present-actors.service.ts'
import { markActiveActors } from '../links/marks.queries.ts'
import { readUsage } from '../states/read-usage.service.ts'
import { addPeriods, startOfMonth } from '../usage-store/periods.rules.ts'
import { isHoldOver } from './evaluate.rules.ts'
import { endQualifications, evaluateActors } from './evaluate.service.ts'
import { listOpenQualifications, listQualificationRows } from './qualifications.queries.ts'
import type { Evidence, Pql, PqlQuery } from './qualifications.schemas.ts'

const batchSize = 200
const monthsOfWindow = 4

/** Marks all actors that may meet a rule, whose window has at most 90 days. */
export async function markCandidates(tx: TenantTx, now: Date): Promise<void> {
  const { generation, timezone, settings } = await readUsage(tx)
  if (!settings.pql_rules.length) return
  const current = startOfMonth(dayInTimezone(now, timezone))
  const months = Array.from({ length: monthsOfWindow }, (_, index) => addPeriods(current, 'month', -index))
  await markActiveActors(tx, { generation, months })
}

/** Members of a segment can change without an event, so rules with a segment are evaluated every day. */
export async function markFitCandidates(tx: TenantTx, now: Date): Promise<void> {
  const { settings } = await readUsage(tx)
  if (settings.pql_rules.some(({ fit_segment_id }) => fit_segment_id !== null)) await markCandidates(tx, now)
}

/** Checks a batch of open qualifications and returns the id to continue after, or undefined after the last one. */
export async function checkQualifications(
  tx: TenantTx,
  after: string,
  services: Pick<Services, 'clock' | 'registry'>,
): Promise<string | undefined> {
  const now = services.clock.now()
  const open = await listOpenQualifications(tx, after, batchSize)
  await evaluateActors(tx, [...new Set(open.map(({ actor_id }) => actor_id))], now, services)
  const { settings, timezone } = await readUsage(tx)
  const today = dayInTimezone(now, timezone)
  const holdDays = new Map(settings.pql_rules.map(({ key, hold_days }) => [key, hold_days]))
  const removed = open.filter(({ rule_key }) => !holdDays.has(rule_key)).map(({ id }) => id)
  await endQualifications(tx, removed, { now })
  for (const [key, days] of holdDays) {
    const over = open.filter(({ rule_key, last_met_on }) => rule_key === key && isHoldOver(last_met_on, today, days))
    await endQualifications(
      tx,
      over.map(({ id }) => id),
      { now, lastMetBefore: addDays(today, -days) },
    )
  }
  return open.length === batchSize ? open.at(-1)!.id : undefined
}

export async function listProductQualifiedLeads(tx: TenantTx, query: PqlQuery): Promise<Page<Pql>> {
  const { kind, rule_key, state } = query
  const page = await listQualificationRows(tx, { kind, rule_key, state }, query)
  const actors = await listActorsByIds(
    tx,
    page.items.map(({ actor_id }) => actor_id),
  )
  const presented = new Map((await presentActors(tx, actors)).map((actor) => [actor.id, actor]))
  return {
    ...page,
    items: page.items.map(({ actor_id, is_account, evidence, ...row }) => ({
      ...row,
      kind: is_account ? 'account' : 'person',
      state: row.lost_at === null ? 'qualified' : 'lost',
      actor: presented.get(actor_id) ?? null,
      evidence: evidence as Evidence,
    })),
  }
}
