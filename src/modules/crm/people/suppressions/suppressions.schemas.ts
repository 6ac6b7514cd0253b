import { type Static, Type } from 'typebox'
import {
  Email,
  Id,
  Line,
  listQuery,
  named,
  nullable,
  sortOrder,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'

const reasons = ['unsubscribed', 'complained', 'bounced', 'erased', 'manual', 'listed']

export const Suppression = named(
  'Suppression',
  strict({
    id: Id,
    subject: nullable(
      Type.String({
        description: 'The email address or phone number. Null if the person was erased, and for older entries.',
        examples: ['ada@acme.example'],
      }),
    ),
    channel: Type.Enum(['email', 'survey', 'phone'], {
      description: '`email` stops every marketing email, `survey` only surveys, `phone` calls.',
    }),
    reason: Type.Enum(reasons, {
      description: 'What the entry comes from; `listed` is an address that the workspace added to the list itself.',
    }),
    source: Type.String({ description: 'Where the entry comes from.', examples: ['list of the old system'] }),
    at: Timestamp,
  }),
)
export type Suppression = Static<typeof Suppression>

export const SuppressionQuery = listQuery({
  search: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 254,
      description: 'A whole email address, or a phone number in E.164 format.',
      examples: ['ada@acme.example'],
    }),
  ),
  channel: Type.Optional(Type.Enum(['email', 'survey', 'phone'], { description: 'Only entries of this channel.' })),
  sort: sortOrder(['-at', 'at']),
})
export type SuppressionQuery = Static<typeof SuppressionQuery>

const maxItems = 1_000
const sourceOf = (example: string, byDefault: string) =>
  Type.Optional(
    Type.String({
      ...Line(200),
      description: `Where the entry comes from, \`${byDefault}\` by default.`,
      examples: [example],
    }),
  )
const source = sourceOf('list of the old system', 'suppression list')

export const NewSuppressions = named(
  'NewSuppressions',
  withExample(
    strict({
      emails: Type.Array(Email, { minItems: 1, maxItems, description: 'Email addresses, with or without records.' }),
      source,
    }),
    { emails: ['ada@acme.example'], source: 'list of the old system' },
  ),
)
export type NewSuppressions = Static<typeof NewSuppressions>

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] })

export const AddedSuppressions = named(
  'AddedSuppressions',
  strict({
    added: count('Email addresses that are suppressed now.'),
    unchanged: count('Email addresses that were suppressed already.'),
  }),
)
export type AddedSuppressions = Static<typeof AddedSuppressions>

const exampleId = '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12'

export const ContactOptOuts = named(
  'ContactOptOuts',
  withExample(
    strict({
      contact_ids: Type.Array(Id, { minItems: 1, maxItems, description: 'Contacts who have opted out.' }),
      source: sourceOf('letter of 3 May', 'bulk opt-out'),
    }),
    { contact_ids: [exampleId], source: 'letter of 3 May' },
  ),
)
export type ContactOptOuts = Static<typeof ContactOptOuts>

export const OptedOutContacts = named(
  'OptedOutContacts',
  strict({
    total: count('Number of contacts in the request.'),
    succeeded: count('Contacts who are opted out now.'),
    unchanged: count('Contacts who had opted out already.'),
    failed: count('Unknown or deleted contacts, and contacts without an email address.'),
    results: Type.Array(
      strict({
        contact_id: Id,
        outcome: Type.Enum(['ok', 'unchanged', 'failed'], { description: 'What happened to the contact.' }),
        code: nullable(Type.String({ description: '`not_found` or `no_email` if it failed.', examples: ['no_email'] })),
        message: nullable(
          Type.String({ description: 'Why it failed.', examples: ['The contact has no email address.'] }),
        ),
      }),
      { description: 'One result per contact, in the order of the request.' },
    ),
  }),
)
export type OptedOutContacts = Static<typeof OptedOutContacts>

export const SuppressionUpload = named(
  'SuppressionUpload',
  withExample(
    strict({
      csv: Type.String({
        maxLength: 5_000_000,
        description:
          'A CSV file. The addresses are in the column `email`, or in the first column if no column has this name.',
      }),
      source,
    }),
    { csv: 'email\nada@acme.example\ngrace@acme.example\n', source: 'list of the old system' },
  ),
)
export type SuppressionUpload = Static<typeof SuppressionUpload>

export const SuppressionParams = strict({ suppression_id: Id })
