import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type Clock, secondsLater } from '#platform/clock'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit, setConsumerOptIn } from '#platform/outbox'
import type { SecretBox } from '#platform/secrets'
import {
  webhookEndpointCreated,
  webhookEndpointDeleted,
  webhookEndpointUpdated,
  webhookSecretRotated,
} from '../operations.events.ts'
import { findOwnerRole, markEndpointDisabled } from './disable-endpoint.service.ts'
import {
  assertKnownEventTypes,
  assertMaySubscribe,
  assertMayTakeOver,
  excludedResourcesOf,
} from './event-filter.rules.ts'
import { skipPendingDeliveries } from './skip-deliveries.service.ts'
import {
  countEndpoints,
  deleteEndpointRow,
  type EndpointRow,
  getEndpointRow,
  insertEndpoint,
  listEndpointRows,
  lockEndpoint,
  lockWebhookEndpoints,
  updateEndpointRow,
} from './webhook-endpoints.queries.ts'
import {
  assertEndpointLimit,
  assertHasSecret,
  assertMayRedirect,
  auditedFields,
  auditedUrl,
  canSeeTokens,
  initialHealth,
  maskUrl,
  toEndpoint,
} from './webhook-endpoints.rules.ts'
import type {
  NewWebhookEndpoint,
  SecretRotation,
  WebhookEndpointChanges,
  WebhookEndpointFilter,
} from './webhook-endpoints.schemas.ts'
import { generateWebhookSecret, sealWebhookSecret } from './webhook-secrets.ts'

export const webhookConsumer = 'operations.webhooks'

/** Receives events only while an endpoint is enabled. The caller must hold `lockWebhookEndpoints`. */
export async function refreshEventOptIn(tx: TenantTx): Promise<void> {
  await setConsumerOptIn(tx, webhookConsumer, (await countEndpoints(tx)).enabled > 0)
}

export type WebhookServices = { clock: Clock; secrets: SecretBox }

export async function listWebhookEndpoints(tx: TenantTx, actor: UserActor, filter: WebhookEndpointFilter) {
  const page = await listEndpointRows(tx, filter)
  return { ...page, items: page.items.map((row) => toEndpoint(row, { canSeeTokens: canSeeTokens(actor) })) }
}

export const getWebhookEndpoint = async (tx: TenantTx, actor: UserActor, id: string) =>
  toEndpoint(await getEndpointRow(tx, id), { canSeeTokens: canSeeTokens(actor) })

export async function createWebhookEndpoint(
  tx: TenantTx,
  actor: UserActor,
  input: NewWebhookEndpoint,
  { clock, secrets }: WebhookServices,
) {
  assertKnownEventTypes(input.event_types)
  assertMaySubscribe(actor, input.event_types)
  await lockWebhookEndpoints(tx)
  assertEndpointLimit((await countEndpoints(tx)).all)

  const id = newId()
  const secret = generateWebhookSecret()
  const sealed = sealWebhookSecret(secrets, { tenantId: tenantIdOf(tx), endpointId: id }, secret)
  const endpoint = await insertEndpoint(tx, {
    id,
    ...input,
    excluded_resources: excludedResourcesOf(actor),
    created_by: actor.userId,
    owner_id: actor.userId,
    status: 'enabled',
    disabled_reason: null,
    created_at: clock.now(),
    secret: sealed.ciphertext,
    secret_kid: sealed.kid,
  })
  await refreshEventOptIn(tx)
  await recordAudit(tx, 'webhook_endpoint.created', {
    id,
    label: auditedUrl(input.url),
    after: auditedFields(endpoint),
  })
  await emit(tx, webhookEndpointCreated, endpoint, { url: maskUrl(input.url) })
  return { ...toEndpoint(endpoint, { canSeeTokens: true }), secret }
}

type UpdateInput = { changes: WebhookEndpointChanges; expectedVersion?: number }

/**
 * A caller who changes the URL or the event types becomes the owner and must be able to read all events of the endpoint,
 * also pending ones. Enabling an endpoint whose owner cannot own one does the same.
 */
export async function updateWebhookEndpoint(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { changes: requested, expectedVersion }: UpdateInput,
  { clock }: WebhookServices,
) {
  await lockWebhookEndpoints(tx)
  const endpoint = await lockEndpoint(tx, id)
  assertVersion(endpoint, expectedVersion)
  const { status, ...changes } = changedFields(endpoint, requested)
  if (status === undefined && Object.keys(changes).length === 0) return toEndpoint(endpoint, { canSeeTokens: true })

  const { event_types, url } = changes
  const isTakenOver =
    event_types !== undefined ||
    url !== undefined ||
    (status === 'enabled' && !(await findOwnerRole(tx, endpoint)).role)
  if (isTakenOver) {
    assertMayRedirect(actor, clock.now())
    assertMayTakeOver(actor, endpoint)
  }
  if (event_types) {
    assertKnownEventTypes(event_types)
    assertMaySubscribe(actor, event_types)
  }
  const filter = event_types && { event_types, excluded_resources: excludedResourcesOf(actor) }
  if (status === 'enabled') assertHasSecret(endpoint)

  let changed: EndpointRow = endpoint
  const enabling = status === 'enabled' ? { status, disabled_reason: null, ...initialHealth } : {}
  if (Object.keys(changes).length > 0 || status === 'enabled')
    changed = await updateEndpointRow(tx, id, {
      ...changes,
      ...filter,
      ...enabling,
      ...(isTakenOver && { owner_id: actor.userId }),
    })
  if (status === 'disabled') changed = await markEndpointDisabled(tx, id, { reason: 'manual', now: clock.now() })
  await refreshEventOptIn(tx)
  await recordAudit(tx, 'webhook_endpoint.updated', {
    id,
    label: auditedUrl(changed.url),
    before: auditedFields(endpoint),
    after: { ...auditedFields(changed), ...(url !== undefined && { is_url_changed: true }) },
  })
  await emit(tx, webhookEndpointUpdated, changed, { changed: Object.keys({ ...changes, ...(status && { status }) }) })
  return toEndpoint(changed, { canSeeTokens: true })
}

export async function deleteWebhookEndpoint(
  tx: TenantTx,
  id: string,
  { expectedVersion }: { expectedVersion?: number },
  { clock }: WebhookServices,
): Promise<void> {
  await lockWebhookEndpoints(tx)
  const endpoint = await lockEndpoint(tx, id)
  assertVersion(endpoint, expectedVersion)
  await deleteEndpointRow(tx, id)
  await skipPendingDeliveries(tx, id, clock.now())
  await refreshEventOptIn(tx)
  const label = auditedUrl(endpoint.url)
  await recordAudit(tx, 'webhook_endpoint.deleted', { id, label, before: auditedFields(endpoint) })
  await emit(tx, webhookEndpointDeleted, endpoint, { url: maskUrl(endpoint.url) })
}

/** The old secret also signs requests during the overlap, so that the receiver can change its own at any time. */
export async function rotateWebhookSecret(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { overlap_seconds }: SecretRotation,
  { clock, secrets }: WebhookServices,
) {
  const endpoint = await lockEndpoint(tx, id)
  assertMayTakeOver(actor, endpoint)
  const secret = generateWebhookSecret()
  const sealed = sealWebhookSecret(secrets, { tenantId: tenantIdOf(tx), endpointId: id }, secret)
  const hasOverlap = overlap_seconds > 0 && endpoint.secret !== null
  const previous_secret_valid_until = hasOverlap ? secondsLater(clock.now(), overlap_seconds) : null
  const changed = await updateEndpointRow(tx, id, {
    secret: sealed.ciphertext,
    secret_kid: sealed.kid,
    previous_secret_valid_until,
    previous_secret: hasOverlap ? endpoint.secret : null,
    previous_secret_kid: hasOverlap ? endpoint.secret_kid : null,
  })
  await recordAudit(tx, 'webhook_endpoint.secret_rotated', {
    id,
    label: auditedUrl(endpoint.url),
    before: { previous_secret_valid_until: endpoint.previous_secret_valid_until },
    after: { previous_secret_valid_until },
  })
  await emit(tx, webhookSecretRotated, changed, { previous_valid_until: previous_secret_valid_until })
  return { secret, previous_secret_valid_until }
}
