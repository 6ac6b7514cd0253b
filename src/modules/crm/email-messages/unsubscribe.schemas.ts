import { Type } from 'typebox'
import { strict } from '#platform/schema'

export const UnsubscribeParams = strict({ token: Type.String({ minLength: 1, maxLength: 100 }) })

/** Not strict, because only the URL matters. */
export const OneClickForm = Type.Object({ 'List-Unsubscribe': Type.Optional(Type.String({ maxLength: 100 })) })

const Status = Type.Enum(['subscribed', 'unsubscribed'])

export const UnsubscribeLink = strict({
  email_masked: Type.String({ maxLength: 254, examples: ['j***@acme.com'] }),
  status: Status,
  workspace_name: Type.String({ maxLength: 200 }),
})

export const Unsubscribed = strict({ status: Type.Literal('unsubscribed') })
