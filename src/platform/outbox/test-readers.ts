import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { defineEvent } from './event.ts'
import { type Happened, subscribe } from './subscriptions.ts'

export const letterSent = defineEvent('letter.sent', {
  resource: 'content',
  description: 'A letter was sent.',
  data: Type.Object({ number: Type.Integer() }),
})

type Read = (consumer: string, tx: TenantTx, event: Happened<{ number: number }>) => Promise<void>

/** Two who hear of every letter. */
export const readers = (read: Read) =>
  ['test.ada', 'test.bob'].map((consumer) => subscribe(letterSent, consumer, (tx, event) => read(consumer, tx, event)))
