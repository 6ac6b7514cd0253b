import { type Static, Type } from 'typebox'
import { resources } from '#platform/access'
import { named, strict } from '#platform/schema'
import { WebhookPayload } from '../webhook-payloads/webhook-payload.schemas.ts'

export const WebhookEventType = named(
  'WebhookEventType',
  strict({
    type: Type.String({ maxLength: 100, examples: ['lead.created'] }),
    resource: Type.Enum([...resources], { description: 'Events of `users` and `admin` can only be sent to admins.' }),
    description: Type.String({ maxLength: 200 }),
    example: WebhookPayload,
  }),
)
export type WebhookEventType = Static<typeof WebhookEventType>
