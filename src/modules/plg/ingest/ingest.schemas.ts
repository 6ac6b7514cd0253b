import { type Static, Type } from 'typebox'
import { clearable, Instant, named, nullable, published, strict, withExample } from '#platform/schema'

const Ref = (description: string) => clearable(Type.String({ minLength: 1, maxLength: 200, description }))

const Trait = (maxLength: number, description: string) =>
  clearable(Type.String({ maxLength, description: `${description} Null and an empty text change nothing.` }))

const Scalar = Type.Union([Type.String({ maxLength: 1_024 }), Type.Number(), Type.Boolean(), Type.Null()])

const Properties = Type.Object(
  {},
  {
    maxProperties: 50,
    propertyNames: { minLength: 1, maxLength: 64 },
    additionalProperties: Type.Union([...Scalar.anyOf, Type.Array(Scalar, { maxItems: 20 })]),
    description: 'Properties of the event, at most 50 and 8 KiB.',
  },
)

const Event = strict({
  event_id: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[\\x20-\\x7e]+$',
    description: 'Id of the event, unique in the workspace. An event that is sent again is a duplicate.',
  }),
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[A-Za-z0-9$][A-Za-z0-9_.:/ -]*$',
    description: 'Name of the event. A workspace can use 2,000 names.',
  }),
  user_ref: Ref(
    'Id of the person in your product. `user_ref` or `account_ref` is required. Placeholders such as `anonymous` are rejected.',
  ),
  account_ref: Ref('Id of the account in your product.'),
  occurred_at: Type.String({
    format: 'date-time',
    description: 'Time of the event, at most an hour after the time of receipt.',
  }),
  properties: clearable(Properties),
  user: clearable(
    Type.Object(
      { email: Trait(254, 'Email address.'), name: Trait(200, 'Name of the person.') },
      { additionalProperties: false, description: 'The person; requires `user_ref`. The newest event wins.' },
    ),
  ),
  account: clearable(
    Type.Object(
      { name: Trait(200, 'Name of the account.'), domain: Trait(253, 'Domain such as acme.example.') },
      { additionalProperties: false, description: 'The account; requires `account_ref`. The newest event wins.' },
    ),
  ),
})

const exampleEvent = {
  event_id: '0198c1d2-1',
  name: 'project_created',
  user_ref: 'user-17',
  account_ref: 'team-3',
  occurred_at: '2026-03-01T09:30:00Z',
  properties: { template: 'kanban' },
  user: { email: 'ada@acme.example' },
  account: { domain: 'acme.example' },
}
const UsageEvent = withExample(named('UsageEvent', Event), exampleEvent)

export const EventBatch = withExample(
  strict({
    events: Type.Array(published<Record<string, unknown>>(UsageEvent), {
      minItems: 1,
      maxItems: 1_000,
      description: 'Events. Each is validated by itself: one that is not valid is reported and not stored.',
    }),
    sent_at: Type.Optional({
      ...Instant,
      description:
        "Time of this attempt by the sender's clock. If it differs from the time of receipt by more than a minute, the times of the events are corrected by the difference.",
    }),
  }),
  { events: [exampleEvent] },
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
