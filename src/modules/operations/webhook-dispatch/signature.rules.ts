import { createHmac } from 'node:crypto'
import { keyOfSecret } from '../webhook-endpoints/webhook-secrets.ts'

type SignedContent = { id: string; timestamp: number; body: string }

/** Signs a request according to Standard Webhooks 1.0, once per secret. */
export const signRequest = (secrets: readonly string[], { id, timestamp, body }: SignedContent): string =>
  secrets
    .map((secret) => createHmac('sha256', keyOfSecret(secret)).update(`${id}.${timestamp}.${body}`).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ')
