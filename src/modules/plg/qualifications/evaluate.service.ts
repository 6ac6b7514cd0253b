import { readRuleContext, selectMatchingIds } from '#modules/crm'
import { addDays, dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emitMany } from '#platform/outbox'
import { type ActorRow, listActorsByIds } from '../actors/actors.queries.ts'
import { pqlLost, pqlQualified } from '../plg.events.ts'
import type { PqlRule } from '../settings/plg-settings.schemas.ts'
import { findFitRule } from '../settings/plg-settings.service.ts'
import { readUsage, type Usage } from '../states/read-usage.service.ts'
import { isConditionMet } from './evaluate.rules.ts'
import { filterIds, markQualificationsLost, upsertQualifications } from './qualifications.queries.ts'
import type { Evidence } from './qualifications.schemas.ts'

type EvaluationServices = Pick<Services, 'registry'>

/** Evaluates all rules for the actors, and for the product accounts of the people among them. */
export async function evaluateActors(
  tx: TenantTx,
  actorIds: readonly string[],
  now: Date,
  services: EvaluationServices,
): Promise<void> {
  const usage = await readUsage(tx)
  const { pql_rules } = usage.settings
  if (!pql_rules.length) return
  const actors = await listActorsByIds(tx, actorIds)
  const known = new Set(actors.map(({ id }) => id))
  const accountIds = actors.flatMap(({ account_actor_id: id }) => (id && !known.has(id) ? [id] : []))
  actors.push(...(accountIds.length ? await listActorsByIds(tx, [...new Set(accountIds)]) : []))
  for (const rule of pql_rules) await evaluateRule(tx, usage, rule, actors, now, services)
}

async function evaluateRule(
  tx: TenantTx,
  usage: Usage,
  rule: PqlRule,
  actors: readonly ActorRow[],
  now: Date,
  services: EvaluationServices,
): Promise<void> {
  const today = dayInTimezone(now, usage.timezone)
  const ofKind = actors.filter(({ is_account }) => is_account === (rule.kind === 'account'))
  const evidence = await measureRule(usage, rule, ofKind, today)
  const met = await filterByFit(
    tx,
    rule,
    ofKind.filter(({ id }) => evidence.has(id)),
    now,
    services,
  )
  const created = await upsertQualifications(
    tx,
    rule,
    met.map(({ id, is_account }) => ({ id: newId(), actor_id: id, is_account, evidence: evidence.get(id)! })),
    { now, today },
  )
  const actorById = new Map(met.map((actor) => [actor.id, actor]))
  await emitMany(
    tx,
    pqlQualified,
    created.map(({ id, actor_id, points }) => {
      const actor = actorById.get(actor_id)!
      return { subject: actor, data: { ...toEventData(actor, id, rule.key), points } }
    }),
  )
}

/** Returns what was measured for the actors that meet all conditions. */
async function measureRule(
  { store }: Usage,
  { kind, window_days, all }: PqlRule,
  actors: readonly ActorRow[],
  today: string,
): Promise<Map<string, Evidence>> {
  const range = { from: addDays(today, 1 - window_days), to: today }
  let evidence = new Map<string, Evidence>(actors.map(({ id }) => [id, []]))
  for (const condition of all) {
    if (!evidence.size) break
    const measures = await store.measureActors({ kind, actor_ids: [...evidence.keys()], name: condition.event, range })
    evidence = new Map(
      measures
        .filter((measure) => isConditionMet(condition, measure))
        .map(({ actor_id, events, days, people }) => [
          actor_id,
          [...evidence.get(actor_id)!, { event: condition.event, events, days, people }],
        ]),
    )
  }
  return evidence
}

/** No actor meets a rule whose segment was deleted. */
async function filterByFit(
  tx: TenantTx,
  rule: PqlRule,
  actors: ActorRow[],
  now: Date,
  services: EvaluationServices,
): Promise<ActorRow[]> {
  if (!rule.fit_segment_id || !actors.length) return actors
  const fit = await findFitRule(tx, services, rule)
  if (!fit) return []
  const column = `${fit.objectType}_id` as 'lead_id' | 'contact_id' | 'account_id'
  const [matching] = await selectMatchingIds(tx, [fit], await readRuleContext(tx, now, null))
  const members = await filterIds(
    tx,
    matching,
    actors.flatMap((actor) => actor[column] ?? []),
  )
  return actors.filter((actor) => actor[column] !== null && members.has(actor[column]))
}

const toEventData = (
  { is_account, contact_id, lead_id, account_id }: ActorRow,
  qualificationId: string,
  ruleKey: string,
) => ({
  qualification_id: qualificationId,
  rule_key: ruleKey,
  kind: is_account ? ('account' as const) : ('person' as const),
  contact_id,
  lead_id,
  account_id,
})

/** Ends qualifications and emits their events. Erased actors have none. */
export async function endQualifications(
  tx: TenantTx,
  ids: readonly string[],
  options: { now: Date; lastMetBefore?: string },
): Promise<number> {
  const lost = await markQualificationsLost(tx, ids, options)
  const actors = new Map(
    (
      await listActorsByIds(
        tx,
        lost.map(({ actor_id }) => actor_id),
      )
    ).map((actor) => [actor.id, actor]),
  )
  await emitMany(
    tx,
    pqlLost,
    lost.flatMap(({ id, actor_id, rule_key }) => {
      const actor = actors.get(actor_id)
      return actor ? [{ subject: actor, data: toEventData(actor, id, rule_key) }] : []
    }),
  )
  return lost.length
}
