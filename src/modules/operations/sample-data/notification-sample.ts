import { findRoomSummary } from '#modules/rooms'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { IntegrityRun, RecordReference, SampleData } from '#platform/module'
import { deletePastNotifications, insertPastNotification } from '#platform/notify'
import { sampleEndpointUrl } from './webhook-sample.ts'

type Planned = {
  kind: string
  resource: { type: string; key: string }
  minutesAgo: number
  isRead: boolean
  payload(tx: TenantTx, id: string): object | Promise<object>
}

const hour = 60
const day = 24 * hour

const planned: readonly Planned[] = [
  {
    kind: 'room.alert',
    resource: { type: 'room', key: 'room:1' },
    minutesAgo: 25,
    isRead: false,
    payload: async (tx, id) => ({
      room_id: id,
      room_name: (await findRoomSummary(tx, id))?.name ?? '',
      alert: 'new_visitor',
      visitor: 'Julia Fontaine',
    }),
  },
  {
    kind: 'thread.replied',
    resource: { type: 'thread', key: 'thread:5' },
    minutesAgo: 4 * hour,
    isRead: false,
    payload: (_, id) => ({ thread_id: id, title: 'Group contracts: one notice period for all subsidiaries?' }),
  },
  {
    kind: 'survey.negative_response',
    resource: { type: 'survey', key: 'survey:1' },
    minutesAgo: 7 * hour,
    isRead: false,
    payload: (_, id) => ({ survey_id: id, survey_name: 'Customer loyalty', score: 4, person: null, path: null }),
  },
  {
    kind: 'webhook_endpoint.failing',
    resource: { type: 'webhook_endpoint', key: 'webhook_endpoint:1' },
    minutesAgo: 3 * day,
    isRead: true,
    payload: () => ({ url: sampleEndpointUrl }),
  },
  {
    kind: 'thread.mentioned',
    resource: { type: 'thread', key: 'thread:3' },
    minutesAgo: 11 * day,
    isRead: true,
    payload: (_, id) => ({ thread_id: id, title: 'What worked against Northwind this month' }),
  },
]

/** Notifications of the user who loads the data. No email is sent for them. */
export const notificationSample: SampleData = {
  name: 'notifications',
  plan: ({ now }) =>
    planned.map(({ kind, resource: { type, key }, minutesAgo, isRead, payload }, index) => ({
      async run(tx, { userId }, idOf) {
        const createdAt = secondsLater(now, -minutesAgo * 60)
        const id = await insertPastNotification(tx, {
          userId,
          kind,
          payload: await payload(tx, idOf(key)),
          resource: { type, id: idOf(key) },
          createdAt,
          readAt: isRead ? secondsLater(createdAt, 1_800) : null,
        })
        return [{ key: `notification:${index + 1}`, resource_type: 'notification', id }]
      },
    })),
  async remove({ inTenant }: IntegrityRun, records: readonly RecordReference[]) {
    const ids = records.filter(({ resource_type }) => resource_type === 'notification').map(({ id }) => id)
    await inTenant((tx) => deletePastNotifications(tx, ids))
    return []
  },
}
