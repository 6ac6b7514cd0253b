import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { defineEvent, type EventEnvelope, subscribe } from './subscriptions.ts'

export const letterSent = defineEvent('letter.sent', {
  resource: 'content',
  description: 'A letter was sent.',
  data: Type.Object({ number: Type.Integer() }),
})

type OnLetter = (consumer: string, tx: TenantTx, event: EventEnvelope<{ number: number }>) => Promise<void>

/** Creates two subscriptions to the same event. */
export const createLetterSubscriptions = (onLetter: OnLetter) =>
  ['test.ada', 'test.bob'].map((consumer) =>
    subscribe(letterSent, consumer, (tx, event) => onLetter(consumer, tx, event)),
  )
