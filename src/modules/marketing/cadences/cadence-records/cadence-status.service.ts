import type { TemplateValues } from '#modules/email'
import { findUserCards } from '#modules/identity'
import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { cadenceStatusChanged } from '../../marketing.events.ts'
import { type CadenceRow, type SystemStatus, updateCadenceStatuses } from './cadences.queries.ts'
import { listSenderSettings } from './senders.queries.ts'

/** Changes the status of locked cadences that no user changes. Returns the changed cadences. */
export async function changeCadenceStatuses(
  tx: TenantTx,
  cadences: readonly CadenceRow[],
  status: SystemStatus,
): Promise<CadenceRow[]> {
  if (!cadences.length) return []
  const before = new Map(cadences.map((cadence) => [cadence.id, cadence]))
  const changed = await updateCadenceStatuses(tx, [...before.keys()], status)
  await recordAuditEntries(
    tx,
    'cadence.updated',
    changed.map((after) => ({ id: after.id, label: after.name, before: before.get(after.id), after })),
  )
  await emitMany(
    tx,
    cadenceStatusChanged,
    changed
      .map((after) => ({ subject: after, data: { from: before.get(after.id)!.status, to: after.status } }))
      .filter(({ data: { from, to } }) => from !== to),
  )
  return changed
}

export async function readSenderValues(tx: TenantTx, userIds: readonly string[]): Promise<Map<string, TemplateValues>> {
  const [users, settings] = await Promise.all([findUserCards(tx, userIds), listSenderSettings(tx, userIds)])
  const signatures = new Map(settings.map(({ user_id, signature }) => [user_id, signature]))
  return new Map(
    [...users.values()].map(({ id, name, title }) => [
      id,
      { 'sender.name': name, 'sender.title': title, 'sender.signature': signatures.get(id) ?? null },
    ]),
  )
}
