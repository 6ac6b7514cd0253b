import { randomBytes } from 'node:crypto'
import type { SealedSecret, SecretBox, SecretLocation } from '#platform/secrets'

const prefix = 'whsec_'

export const generateWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`

/** The key of the HMAC (Standard Webhooks). */
export const keyOfSecret = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64')

type SecretColumns = {
  secret: Buffer | null
  secret_kid: string | null
  previous_secret: Buffer | null
  previous_secret_kid: string | null
  previous_secret_valid_until: Date | null
}
type EndpointPlace = { tenantId: string; endpointId: string }

/** Both secrets have the same location, because a rotation moves the ciphertext to the other column. */
const locationOf = ({ tenantId, endpointId }: EndpointPlace): SecretLocation => ({
  tenantId,
  table: 'operations.webhook_endpoints',
  column: 'secret',
  row: endpointId,
})

export const sealWebhookSecret = (box: SecretBox, place: EndpointPlace, secret: string): SealedSecret =>
  box.seal(secret, locationOf(place))

/** Returns the secrets that sign a request now, the current one first. */
export function openWebhookSecrets(box: SecretBox, place: EndpointPlace, columns: SecretColumns, now: Date): string[] {
  const { secret, secret_kid, previous_secret, previous_secret_kid, previous_secret_valid_until } = columns
  const current = secret && secret_kid ? [{ ciphertext: secret, kid: secret_kid }] : []
  const isOverlapping = previous_secret_valid_until !== null && previous_secret_valid_until > now
  const previous =
    previous_secret && previous_secret_kid && isOverlapping
      ? [{ ciphertext: previous_secret, kid: previous_secret_kid }]
      : []
  return [...current, ...previous].map((sealed) => box.open(sealed, locationOf(place)))
}
