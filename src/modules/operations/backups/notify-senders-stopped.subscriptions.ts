import { Type } from 'typebox'
import { listActiveAdminIds } from '#modules/identity'
import { defineNotification, notify } from '#platform/notify'
import { subscribe } from '#platform/outbox'
import { strict } from '#platform/schema'
import { tenantSendersStopped } from '../operations.events.ts'

const count = Type.Integer()

const sendersStopped = defineNotification('tenant.senders_stopped', {
  description:
    'cadences, enrollments of segments and distributions were stopped, because their rows come from a backup',
  payload: strict({ cadences: count, flows: count, distributions: count, emails: count }),
  text: ({ cadences, flows, distributions, emails }) => ({
    title: 'The workspace sends no marketing emails after a restore',
    body:
      `Paused cadences: ${cadences}. Stopped enrollments of segments: ${flows}. Cancelled survey distributions: ${distributions}. ` +
      `Queued emails that are not sent: ${emails}. Emails may have been sent since the backup, so check the cadences before you ` +
      'activate them.',
    path: '/cadences',
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: false,
})

/** After the commit, because an import by the command line has no mail server. */
export const onSendersStopped = subscribe(
  tenantSendersStopped,
  'operations.notify_senders_stopped',
  async (tx, { id, data: { cadences, flows, distributions, emails } }) => {
    const payload = { cadences, flows, distributions, emails }
    for (const adminId of await listActiveAdminIds(tx))
      await notify(tx, adminId, sendersStopped, payload, { dedupeKey: `tenant.senders_stopped:${id}:${adminId}` })
  },
)
