import { findLeadCards } from '#modules/crm'
import { readSections, replaceSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { SampleData, SampleStep, Services } from '#platform/module'
import type { SentEvent } from '../ingest/event.rules.ts'
import { storeBatch } from '../ingest/ingest.service.ts'
import { linkActors } from '../links/link-actors.service.ts'
import { applyEffects } from '../qualifications/apply-effects.service.ts'
import { evaluateActors } from '../qualifications/evaluate.service.ts'
import { listDueEffects } from '../qualifications/qualifications.queries.ts'
import type { PlgSettings } from '../settings/plg-settings.schemas.ts'
import { plgSettings } from '../settings/plg-settings.ts'
import { listActorIdsByPrefix } from './remove-sample.queries.ts'
import { removeSampleUsage, usageActorType } from './remove-sample.service.ts'
import { type PlannedBatch, planUsage, sampleRule } from './sample-usage.rules.ts'

type SampleServices = Pick<Services, 'secrets' | 'registry'>

/** Usage of 120 days. Three people are leads of the CRM sample and product-qualified. */
export const plgSample = (services: SampleServices): SampleData => ({
  name: 'plg',
  plan({ random, now, scale }) {
    const batches = planUsage({ random, now, scale })
    return [...batches.map(sendStep), qualifyStep(now, services), ...leadKeys.map(() => applyStep(now, services))]
  },
  remove: removeSampleUsage,
})

const leadKeys = ['lead:1', 'lead:3', 'lead:5']
/** A lead of the load, so that no actor of the customer and of another load has the same ref. */
const prefixOf = (idOf: (key: string) => string) => `sample:${idOf(leadKeys[0]!)}:`

function sendStep({ number, endsAt, events }: PlannedBatch): SampleStep {
  return {
    async run(tx, _actor, idOf) {
      const prefix = prefixOf(idOf)
      const cards = await findLeadCards(tx, leadKeys.map(idOf))
      const emails = leadKeys.map((key) => cards.get(idOf(key))?.email ?? undefined)
      const sent = events.map(({ name, person, account, at }, index): SentEvent => {
        const email = emails[person]
        return {
          index,
          event_id: `${prefix}${number}-${index + 1}`,
          name,
          user_ref: `${prefix}user-${person + 1}`,
          account_ref: `${prefix}team-${account + 1}`,
          occurred_at: at.getTime(),
          properties: { plan: account % 3 ? 'team' : 'business' },
          user: email ? { email } : { name: `Sample user ${person + 1}` },
          account: { name: `Sample team ${account + 1}` },
        }
      })
      const known = new Set(await listActorIdsByPrefix(tx, prefix))
      await storeBatch(tx, { events: sent, errors: [], isStrict: true, shiftMs: 0, receivedAt: endsAt, isSample: true })
      const ids = await listActorIdsByPrefix(tx, prefix)
      const created = ids.filter((id) => !known.has(id))
      return created.map((id) => ({ key: `usage_actor:${id}`, resource_type: usageActorType, id }))
    },
  }
}

function qualifyStep(now: Date, services: SampleServices): SampleStep {
  return {
    async run(tx, _actor, idOf) {
      await addSampleRule(tx)
      const ids = await listActorIdsByPrefix(tx, prefixOf(idOf))
      await linkActors(tx, ids)
      await evaluateActors(tx, ids, now, services)
      return []
    },
  }
}

/** One qualification per transaction, because each locks records of the CRM. */
function applyStep(now: Date, { secrets }: SampleServices): SampleStep {
  return {
    async run(tx) {
      const [id] = await listDueEffects(tx, now, 1)
      const activityId = id ? await applyEffects(tx, id, { secrets, clock: { now: () => now } }) : null
      if (activityId) return [{ key: `usage_pql:${id}:activity`, resource_type: 'activity', id: activityId }]
      return []
    },
  }
}

/** The rule is added to those of the workspace, so that the daily check keeps the qualifications. */
async function addSampleRule(tx: TenantTx): Promise<void> {
  const stored = (await readSections(tx, [plgSettings])).get(plgSettings.name)!
  const settings = stored.settings as PlgSettings
  if (settings.pql_rules.some(({ key }) => key === sampleRule.key)) return
  await replaceSection(tx, plgSettings, { ...settings, pql_rules: [...settings.pql_rules, sampleRule].slice(0, 10) })
}
