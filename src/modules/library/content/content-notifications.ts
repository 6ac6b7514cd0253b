import { Type } from 'typebox'
import { filterActiveUserIds, listManagerIdsToNotify } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, nullable, strict } from '#platform/schema'

const item = { item_id: Id, title: Type.String() }
const pathOf = (itemId: string) => `/content/${itemId}`

const updateNeeded = defineNotification('content.update_needed', {
  description: 'a reviewer asks you to update your content',
  payload: strict({ ...item, note: nullable(Type.String()) }),
  text: ({ item_id, title, note }) => ({
    title: `"${title}" needs an update`,
    body: note ?? 'A reviewer marked your content as out of date.',
    path: pathOf(item_id),
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
})

const reviewDue = defineNotification('content.review_due', {
  description: 'content must be reviewed',
  payload: strict({ ...item, days_overdue: Type.Integer() }),
  text: ({ item_id, title, days_overdue }) => ({
    title: days_overdue < 0 ? `Review "${title}" soon` : `Review "${title}" now`,
    body:
      days_overdue < 0
        ? `Its review is due in ${-days_overdue} days. Confirm that it is still valid, or update it.`
        : 'Its review is due. Confirm that it is still valid, or update it.',
    path: pathOf(item_id),
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
})

const fileInfected = defineNotification('content.file_infected', {
  description: 'the virus scan found a problem in a file',
  payload: strict({ ...item, filename: Type.String() }),
  text: ({ item_id, title, filename }) => ({
    title: 'A file was put in quarantine',
    body: `The virus scan found a problem in ${filename}, which was uploaded to "${title}". It cannot be downloaded.`,
    path: pathOf(item_id),
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: false,
})

type NotifiedItem = { id: string; title: string; owner_id: string | null }
const resourceOf = ({ id }: NotifiedItem) => ({ resource: { type: 'content', id } })

export async function notifyUpdateNeeded(tx: TenantTx, content: NotifiedItem, note: string | null): Promise<void> {
  const { id, title, owner_id } = content
  if (owner_id) await notify(tx, owner_id, updateNeeded, { item_id: id, title, note }, resourceOf(content))
}

export async function notifyReviewDue(
  tx: TenantTx,
  content: NotifiedItem,
  { daysOverdue, includesManagers }: { daysOverdue: number; includesManagers: boolean },
): Promise<void> {
  const managerIds = includesManagers ? await listManagerIdsToNotify(tx) : []
  const payload = { item_id: content.id, title: content.title, days_overdue: daysOverdue }
  for (const userId of await filterActiveUserIds(tx, [...managerIds, ...(content.owner_id ? [content.owner_id] : [])]))
    await notify(tx, userId, reviewDue, payload, resourceOf(content))
}

export async function notifyInfectedFile(
  tx: TenantTx,
  content: NotifiedItem,
  { filename, uploaded_by }: { filename: string; uploaded_by: string | null },
): Promise<void> {
  const recipients = new Set([...(uploaded_by ? [uploaded_by] : []), ...(await listManagerIdsToNotify(tx))])
  const payload = { item_id: content.id, title: content.title, filename }
  for (const userId of recipients) await notify(tx, userId, fileInfected, payload, resourceOf(content))
}
