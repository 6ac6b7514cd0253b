import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const text = (example: string) => Type.String({ examples: [example] })

/** One event describes several messages of a kind, because there may be many; the subject is their batch. */
const defineEmailEvent = (fact: string, description: string, reason: string | null) =>
  defineEvent(`email.${fact}`, {
    resource: 'leads',
    description,
    data: strict({
      kind: text('campaign'),
      messages: Type.Array(strict({ id: Id, ref_id: Id, reason: nullable(Type.String({ examples: [reason] })) })),
    }),
  })
export const emailSent = defineEmailEvent('sent', 'Marketing emails were sent', null)
export const emailSkipped = defineEmailEvent('skipped', 'Marketing emails were not sent', 'unsubscribed')
export const emailFailed = defineEmailEvent('failed', 'Marketing emails could not be delivered', 'rejected')
export const emailUncertain = defineEmailEvent('uncertain', 'The delivery of marketing emails is uncertain', null)
export const emailBounced = defineEvent('email.bounced', {
  resource: 'leads',
  description: 'A marketing email bounced',
  data: strict({ kind: text('campaign'), ref_id: Id, bounce_type: text('hard') }),
})
export const emailComplained = defineEvent('email.complained', {
  resource: 'leads',
  description: 'The recipient of a marketing email reported it as spam',
  data: strict({ kind: text('campaign'), ref_id: Id }),
})
export const emailReplied = defineEvent('email.replied', {
  resource: 'leads',
  description: 'The recipient of a marketing email replied',
  data: strict({
    kind: text('campaign'),
    ref_id: Id,
    auto_submitted: Type.Boolean({ description: 'An automatic reply, such as an absence note.' }),
  }),
})
