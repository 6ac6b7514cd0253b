import { type Static, Type } from 'typebox'
import { strict } from '#platform/schema'

/** A token contains the encrypted email address, of at most 254 characters. */
const maxTokenLength = 450

export const UnsubscribeParams = strict({ token: Type.String({ minLength: 1, maxLength: maxTokenLength }) })

export const UnsubscribeQuery = strict({ choose: Type.Optional(Type.String({ maxLength: 10 })) })

/** The form of a mail provider or of the page. Not strict, because mail providers may send other fields. */
export const UnsubscribeForm = Type.Object({
  'List-Unsubscribe': Type.Optional(Type.String({ maxLength: 100 })),
  preferences: Type.Optional(Type.Enum(['selected', 'none'])),
  email: Type.Optional(Type.String({ maxLength: 10 })),
  survey: Type.Optional(Type.String({ maxLength: 10 })),
})
export type UnsubscribeForm = Static<typeof UnsubscribeForm>

const Status = Type.Enum(['subscribed', 'unsubscribed'])

export const UnsubscribeLink = strict({
  email_masked: Type.String({ maxLength: 254, examples: ['j***@acme.com'] }),
  status: Status,
  workspace_name: Type.String({ maxLength: 200 }),
})

export const Unsubscribed = strict({ status: Type.Literal('unsubscribed') })
