import { type Static, Type } from 'typebox'
import { Instant, nullable, strict, withExample } from '#platform/schema'

const description = `Events, each an object with these fields:
- \`event_id\` (required): 1 to 100 printable ASCII characters, unique in the workspace. An event that is sent again is a duplicate.
- \`name\` (required): 1 to 100 letters, digits, spaces and characters of \`_.:/-\`. A workspace can use 2,000 names.
- \`user_ref\`, \`account_ref\`: ids of the person and the account in your product, 1 to 200 characters; at least one is required.
- \`occurred_at\` (required): RFC 3339.
- \`properties\`: at most 50 entries and 8 KiB; strings, numbers, booleans, null and arrays of up to 20 of them.
- \`user\`: \`email\` and \`name\` of the person; \`account\`: \`name\` and \`domain\` of the account. The newest event wins.`

export const EventBatch = withExample(
  strict({
    events: Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object' }), {
      minItems: 1,
      maxItems: 1_000,
      description,
    }),
    sent_at: Type.Optional({
      ...Instant,
      description:
        "Time of this attempt by the sender's clock. If it differs from the time of receipt by more than a minute, the times of the events are corrected by the difference.",
    }),
  }),
  {
    events: [
      {
        event_id: '0198c1d2-1',
        name: 'project_created',
        user_ref: 'user-17',
        account_ref: 'team-3',
        occurred_at: '2026-03-01T09:30:00Z',
        properties: { template: 'kanban' },
        user: { email: 'ada@acme.example' },
        account: { domain: 'acme.example' },
      },
    ],
  },
)
export type EventBatch = Static<typeof EventBatch>

export const IngestQuery = strict({
  strict: Type.Boolean({ default: false, description: 'Store nothing if one event is invalid.' }),
})

export const Quota = strict({
  used: Type.Integer({ minimum: 0, description: 'Events accepted this month.' }),
  limit: nullable(Type.Integer({ minimum: 0, description: 'Events per month; null without a limit.' })),
})

const Count = Type.Integer({ minimum: 0 })

export const IngestReport = strict({
  accepted: Count,
  duplicates: Count,
  rejected: Count,
  errors: Type.Array(
    strict({
      index: Type.Integer({ minimum: 0, description: 'Position of the event in the request.' }),
      event_id: nullable(Type.String({ maxLength: 100 })),
      path: Type.String({ description: 'JSON pointer to the field, within the event.' }),
      code: Type.String({ examples: ['occurred_at_future'] }),
      message: Type.String(),
    }),
    { maxItems: 1_000 },
  ),
  quota: Quota,
})
export type IngestReport = Static<typeof IngestReport>
