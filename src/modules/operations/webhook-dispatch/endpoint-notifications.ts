import { Type } from 'typebox'
import { listActiveAdminIds } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { defineNotification, type NotificationKind, notify } from '#platform/notify'
import { strict } from '#platform/schema'

const payload = strict({ url: Type.String() })
const channels = { in_app: true, email: true }

const endpointFailing = defineNotification('webhook_endpoint.failing', {
  description: 'a webhook endpoint has failed for 24 hours',
  payload,
  text: ({ url }) => ({
    title: 'A webhook endpoint has failed for 24 hours',
    body: `No event could be delivered to ${url} for 24 hours. Pending events are delivered when the endpoint works again. It is disabled after five days without a success.`,
  }),
  channels,
  canBeDisabled: true,
})

const endpointDisabled = defineNotification('webhook_endpoint.disabled', {
  description: 'a webhook endpoint was disabled because it failed for five days',
  payload,
  text: ({ url }) => ({
    title: 'A webhook endpoint was disabled',
    body: `No event could be delivered to ${url} for five days, so the endpoint was disabled. Fix its server, enable the endpoint and recover the missed events.`,
  }),
  channels,
  canBeDisabled: false,
})

const receiverGone = defineNotification('webhook_endpoint.gone', {
  description: 'a webhook endpoint was disabled because its server answered 410',
  payload,
  text: ({ url }) => ({
    title: 'A webhook endpoint was disabled',
    body: `The server of ${url} answered 410 Gone, so the endpoint was disabled. If this was a mistake, enable the endpoint and recover the missed events.`,
  }),
  channels,
  canBeDisabled: false,
})

const ownerDeactivated = defineNotification('webhook_endpoint.owner_deactivated', {
  description: 'a webhook endpoint was disabled because its owner was deactivated or may no longer manage webhooks',
  payload,
  text: ({ url }) => ({
    title: 'A webhook endpoint was disabled',
    body: `The user who set up the webhook endpoint ${url} is no longer active or may no longer manage webhooks, so it was disabled. Check who operates its server before you enable the endpoint: you become its owner, unless that user has the right again.`,
  }),
  channels,
  canBeDisabled: false,
})

type NotifiedEndpoint = { id: string; url: string }

async function notifyAdmins(tx: TenantTx, kind: NotificationKind<typeof payload>, { id, url }: NotifiedEndpoint) {
  const resource = { type: 'webhook_endpoint', id }
  for (const adminId of await listActiveAdminIds(tx)) await notify(tx, adminId, kind, { url }, { resource })
}

export const notifyAboutFailures = (tx: TenantTx, endpoint: NotifiedEndpoint) =>
  notifyAdmins(tx, endpointFailing, endpoint)
export const notifyAboutDisabling = (tx: TenantTx, endpoint: NotifiedEndpoint) =>
  notifyAdmins(tx, endpointDisabled, endpoint)
export const notifyAboutGoneReceiver = (tx: TenantTx, endpoint: NotifiedEndpoint) =>
  notifyAdmins(tx, receiverGone, endpoint)
export const notifyAboutLostOwner = (tx: TenantTx, endpoint: NotifiedEndpoint) =>
  notifyAdmins(tx, ownerDeactivated, endpoint)
