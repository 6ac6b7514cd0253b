import { type Static, Type } from 'typebox'
import { Id, named, strict, withExample } from '#platform/schema'
import { contactFilters } from '../../people/contacts/contacts.schemas.ts'
import {
  expectedCount,
  outcomeCounts,
  outcomeFields,
  RecordIds,
  StartedBulkTask,
  sharedParams,
} from '../bulk/bulk.schemas.ts'

/** The last two are registered by another module. */
const actions = [
  'assign',
  'add_tags',
  'remove_tags',
  'opt_out',
  'delete',
  'restore',
  'add_to_campaign',
  'enroll_cadence',
] as const

const BulkContactParams = strict(sharedParams('contact'))
export type BulkContactParams = Static<typeof BulkContactParams>

export const BulkContactsRequest = withExample(
  strict({
    action: Type.Enum([...actions], { description: 'What is done with each contact.' }),
    contact_ids: Type.Optional(RecordIds),
    query: Type.Optional(
      Type.Object(contactFilters, {
        additionalProperties: false,
        description: 'Filters of the list of contacts, such as `{ "lifecycle_stage": ["customer"] }`.',
      }),
    ),
    expected_count: expectedCount('Number of contacts that `query` must match. Required with it.'),
    params: Type.Optional({ ...BulkContactParams, description: 'Values of the action.' }),
  }),
  { action: 'add_tags', contact_ids: ['019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12'], params: { tags: ['trade fair'] } },
)
export type BulkContactsRequest = Static<typeof BulkContactsRequest>

const BulkContactsResult = strict({
  action: Type.Enum([...actions]),
  ...outcomeCounts,
  results: Type.Array(strict({ contact_id: Id, ...outcomeFields })),
})
export const BulkContactsResponse = named(
  'BulkContactsResponse',
  Type.Union([BulkContactsResult, StartedBulkTask], {
    description: 'The outcome of each contact, or the task if there are more than 200 contacts.',
  }),
)
export type BulkContactsResponse = Static<typeof BulkContactsResponse>
