import { lockPersons, logSignals, type PersonSignal } from '#modules/crm'
import { systemActor } from '#platform/access'
import { startOfDay } from '#platform/calendar'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { listActorsByIds } from '../actors/actors.queries.ts'
import type { Mark } from './marks.queries.ts'

const maxDaysPerActor = 31

/** Logs the new active days of linked people in their timelines, once per person and day. */
export async function logUsageDays(
  tx: TenantTx,
  marks: readonly Mark[],
  { timezone, now }: { timezone: string; now: Date },
): Promise<void> {
  const daysOf = new Map<string, string[]>()
  for (const { actor_id, active_on } of marks)
    if (active_on.length) daysOf.set(actor_id, [...(daysOf.get(actor_id) ?? []), ...active_on])
  if (!daysOf.size) return
  const people = (await listActorsByIds(tx, [...daysOf.keys()])).filter(
    ({ contact_id, lead_id }) => contact_id ?? lead_id,
  )
  const signals = people.flatMap(({ id, contact_id, lead_id }) =>
    daysOf
      .get(id)!
      .slice(-maxDaysPerActor)
      .map(
        (day): PersonSignal => ({
          kind: contact_id ? 'contact' : 'lead',
          id: (contact_id ?? lead_id)!,
          external_id: `plg:${id}:${day}`,
          subject: 'Used the product',
          at: new Date(Math.min(Date.parse(startOfDay(day, timezone)), now.getTime())),
        }),
      ),
  )
  if (!signals.length) return
  const idsOf = (kind: PersonSignal['kind']) => signals.filter((signal) => signal.kind === kind).map(({ id }) => id)
  const known = await lockPersons(tx, { leadIds: idsOf('lead'), contactIds: idsOf('contact') })
  const existing = signals.filter(({ id }) => known.has(id))
  await logSignals(tx, systemActor(tenantIdOf(tx)), existing, { type: 'product_used', source: 'system', now })
}
