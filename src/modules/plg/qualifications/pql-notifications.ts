import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, strict } from '#platform/schema'

const qualified = defineNotification('pql.qualified', {
  description: 'a lead, contact or account that you own becomes a product-qualified lead',
  payload: strict({ actor_id: Id, name: Type.String(), rule_name: Type.String() }),
  text: ({ actor_id, name, rule_name }) => ({
    title: `${name} is a product-qualified lead`,
    body: `The rule "${rule_name}" is met.`,
    path: `/usage/actors/${actor_id}`,
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
})

type PqlNotice = { qualificationId: string; actorId: string; name: string; ruleName: string }

export const notifyQualified = (tx: TenantTx, userId: string, notice: PqlNotice): Promise<void> =>
  notify(
    tx,
    userId,
    qualified,
    { actor_id: notice.actorId, name: notice.name, rule_name: notice.ruleName },
    { dedupeKey: `pql:${notice.qualificationId}`, resource: { type: 'plg', id: notice.actorId } },
  )
