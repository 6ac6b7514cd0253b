import type { TemplateValues } from '#modules/email'
import { findUserCards } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { listSenderSettings } from './senders.queries.ts'

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
