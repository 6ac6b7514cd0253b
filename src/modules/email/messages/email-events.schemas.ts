import { type Static, Type } from 'typebox'
import { Email, Instant, Line, strict } from '#platform/schema'

const MessageId = Type.String({
  minLength: 3,
  maxLength: 250,
  description: 'With or without angle brackets.',
  examples: ['<0195d1c2-7c4e-7b1a-9a53-3f1a0c5d2e11@tributary.example>'],
})

export const NewEmailEvent = strict({
  kind: Type.Enum(['bounce', 'complaint', 'reply']),
  message_id: Type.Optional(MessageId),
  in_reply_to: Type.Optional(MessageId),
  references: Type.Optional(
    Type.Array(MessageId, { maxItems: 100, description: 'Header `References` of a reply, the oldest email first.' }),
  ),
  from: Type.Optional(
    Type.String({
      ...Email,
      description: 'Sender of a reply. Finds the newest email to this address if no message id is known.',
      examples: ['ada@acme.example'],
    }),
  ),
  auto_submitted: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Header `Auto-Submitted` of a reply. Every value but `no` marks an automatic reply, such as an absence note, which is not logged as a reply of the person.',
      examples: ['auto-replied'],
    }),
  ),
  subject: Type.Optional(Type.String({ maxLength: 998, description: 'Subject of a reply, for its activity.' })),
  text: Type.Optional(
    Type.String({
      maxLength: 100_000,
      description: 'Text of a reply, for its activity, which keeps the first 20,000 characters.',
    }),
  ),
  email: Type.Optional(
    Type.String({
      ...Email,
      description: 'The recipient, for complaints and bounces whose report does not name the message.',
      examples: ['ada@acme.example'],
    }),
  ),
  bounce_type: Type.Optional(Type.Enum(['hard', 'soft'], { description: 'Required for bounces.' })),
  received_at: Instant,
  external_id: Line(200),
})
export type NewEmailEvent = Static<typeof NewEmailEvent>

export const EmailEventResult = strict({
  matched: Type.Boolean({ description: 'Whether the message was sent by this workspace.' }),
})
