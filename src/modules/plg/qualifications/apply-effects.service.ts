import { Type } from 'typebox'
import { createLead, listRecordLabels, logActivity, setScoreComponent } from '#modules/crm'
import { systemActor } from '#platform/access'
import { addDays, dayInTimezone } from '#platform/calendar'
import { type TenantTx, tenantIdOf, withSavepoint } from '#platform/db'
import { AppError } from '#platform/errors'
import type { Services } from '#platform/module'
import { defineNotification, notify } from '#platform/notify'
import { Id, strict } from '#platform/schema'
import { type ActorRow, listActorsByIds, lockActor, updateActorLinks } from '../actors/actors.queries.ts'
import { maxLeadsPerAccount } from '../links/link-actors.rules.ts'
import { readUsage, type Usage } from '../states/read-usage.service.ts'
import {
  type DueQualification,
  findDueEffect,
  listLeadIdsOfAccount,
  lockEffects,
  markEffectsApplied,
} from './qualifications.queries.ts'
import { findPointsOfOthers, listScoredLeads, replaceScoredLeads } from './scored-leads.queries.ts'

const qualified = defineNotification('pql.qualified', {
  description: 'a lead, contact or account that you own becomes a product-qualified lead',
  payload: strict({ actor_id: Id, name: Type.String(), rule_key: Type.String(), rule_name: Type.String() }),
  text: ({ actor_id, name, rule_name }) => ({
    title: `${name} is a product-qualified lead`,
    body: `The rule "${rule_name}" is met.`,
    path: `/usage/actors/${actor_id}`,
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
  emailIntervalSeconds: 3_600,
  coalesceKey: ({ rule_key }) => rule_key,
})

type PqlNotice = { qualificationId: string; actorId: string; name: string; ruleKey: string; ruleName: string }

export const notifyQualified = (tx: TenantTx, userId: string, notice: PqlNotice): Promise<void> =>
  notify(
    tx,
    userId,
    qualified,
    { actor_id: notice.actorId, name: notice.name, rule_key: notice.ruleKey, rule_name: notice.ruleName },
    { dedupeKey: `pql:${notice.qualificationId}`, resource: { type: 'plg', id: notice.actorId } },
  )

type EffectServices = Pick<Services, 'clock' | 'secrets'>

const componentKey = (ruleKey: string) => `pql:${ruleKey}`

/** Updates lead, timeline and score for a qualification, and returns the logged activity. A second run changes nothing. */
export async function applyEffects(tx: TenantTx, id: string, services: EffectServices): Promise<string | null> {
  await lockEffects(tx)
  const due = await findDueEffect(tx, id)
  if (!due) return null
  const usage = await readUsage(tx)
  const [actor] = await listActorsByIds(tx, [due.actor_id])
  const rule = usage.settings.pql_rules.find(({ key }) => key === due.rule_key)
  const isQualified = due.lost_at === null && actor !== undefined
  const created =
    isQualified && usage.settings.auto_create_leads === 'on_pql' ? await createMissingLead(tx, actor, services) : null
  const linked = created && actor ? { ...actor, lead_id: created } : actor
  const label = rule?.name ?? due.rule_key
  const activityId = isQualified ? await logQualified(tx, linked!, due, label, services) : null
  const now = services.clock.now()
  const leadIds = isQualified ? await listLeadsToScore(tx, linked!, usage, now) : []
  await updateScores(tx, { due, leadIds, label, now })
  if (created) await linkCreatedLead(tx, linked!)
  await markEffectsApplied(tx, due, created)
  return activityId
}

async function createMissingLead(tx: TenantTx, actor: ActorRow, services: EffectServices): Promise<string | null> {
  const { is_account, contact_id, lead_id, email, name, link_locked } = actor
  if (is_account || contact_id || lead_id || !email || link_locked) return null
  const last_name = (name ?? email.slice(0, email.indexOf('@'))).slice(0, 80)
  try {
    const create = () => createLead(tx, systemActor(tenantIdOf(tx)), { email, last_name, source: 'product' }, services)
    return (await withSavepoint(tx, create)).id
  } catch (error) {
    // The workspace may reject leads, for example because of required fields; the qualification stays without one.
    if (error instanceof AppError && error.status < 500) return null
    throw error
  }
}

async function linkCreatedLead(tx: TenantTx, { id, lead_id, account_id }: ActorRow): Promise<void> {
  const current = await lockActor(tx, id)
  if (current.contact_id || current.lead_id) return
  await updateActorLinks(tx, id, {
    contact_id: null,
    lead_id,
    account_id,
    link_method: 'pql',
    link_locked: current.link_locked,
  })
}

async function logQualified(
  tx: TenantTx,
  actor: ActorRow,
  { id, rule_key: ruleKey }: DueQualification,
  ruleName: string,
  { clock }: EffectServices,
): Promise<string | null> {
  const target = targetOf(actor)
  if (!target) return null
  const [record] = await listRecordLabels(tx, target.kind, [target.id])
  if (!record) return null
  const activity = {
    type: 'product_qualified' as const,
    subject: `Met the rule "${ruleName}"`.slice(0, 200),
    source: 'system' as const,
    external_id: `pql:${id}`,
  }
  const { id: activityId, isNew } = await logActivity(tx, systemActor(tenantIdOf(tx)), target, activity, { clock })
  if (!isNew || !record.owner_id) return activityId
  const name = record.name ?? record.email ?? record.company ?? actor.ref
  await notifyQualified(tx, record.owner_id, { qualificationId: id, ruleKey, ruleName, actorId: actor.id, name })
  return activityId
}

function targetOf({ is_account, contact_id, lead_id, account_id }: ActorRow) {
  if (is_account) return account_id ? ({ kind: 'account', id: account_id } as const) : undefined
  if (contact_id) return { kind: 'contact', id: contact_id } as const
  return lead_id ? ({ kind: 'lead', id: lead_id } as const) : undefined
}

type ScoreChange = { due: DueQualification; leadIds: readonly string[]; label: string; now: Date }

/** Gives the points to the leads that should have them and takes them from the others, unless another qualification of the rule keeps them. */
async function updateScores(tx: TenantTx, { due, leadIds, label, now }: ScoreChange): Promise<void> {
  const scored = await listScoredLeads(tx, due.id)
  const wanted = new Set(leadIds)
  const left = scored.filter((id) => !wanted.has(id))
  const pointsOf = new Map<string, number | null>(leadIds.map((id) => [id, due.points]))
  if (left.length) {
    const others = await findPointsOfOthers(tx, due, left)
    for (const id of left) pointsOf.set(id, others.get(id) ?? null)
  }
  const missing = new Set<string>()
  for (const [leadId, points] of [...pointsOf].sort(([a], [b]) => (a < b ? -1 : 1)))
    try {
      await setScoreComponent(tx, leadId, componentKey(due.rule_key), label.slice(0, 100), points, now)
    } catch (error) {
      if (!(error instanceof AppError && error.status === 404)) throw error
      missing.add(leadId)
    }
  await replaceScoredLeads(tx, due.id, {
    removed: [...left, ...missing],
    added: leadIds.filter((id) => !missing.has(id)),
  })
}

/** Points of a person go to its lead, and points of an account to the leads of its people. */
async function listLeadsToScore(tx: TenantTx, actor: ActorRow, { generation, timezone }: Usage, now: Date) {
  if (!actor.is_account) return actor.lead_id ? [actor.lead_id] : []
  const since = addDays(dayInTimezone(now, timezone), -180)
  return await listLeadIdsOfAccount(tx, { accountActorId: actor.id, generation, since, limit: maxLeadsPerAccount })
}
