import { invalid } from '#platform/errors'
import { stageRank } from '../../records/person-keys/lifecycle.rules.ts'
import type { ContactRow } from './contacts.queries.ts'

const mergeableFields = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'title',
  'department',
  'account_id',
  'owner_id',
  'linkedin_url',
  'country',
  'region',
  'city',
  'timezone',
  'source',
  'notes',
] as const
type MergeableField = (typeof mergeableFields)[number]
const maxTags = 50

type ContactMergePreferences = Readonly<Record<string, string>>

export function assertContactMergePreferences(prefer: ContactMergePreferences, contacts: readonly ContactRow[]): void {
  const ids = new Set(contacts.map(({ id }) => id))
  for (const [field, id] of Object.entries(prefer)) {
    if (!mergeableFields.includes(field as MergeableField))
      throw invalid(
        'body',
        `/prefer/${field}`,
        'unknown',
        `\`prefer\` must only contain these fields: ${mergeableFields.join(', ')}.`,
      )
    if (!ids.has(id))
      throw invalid('body', `/prefer/${field}`, 'unknown', '`prefer` must refer to one of the merged contacts.')
  }
}

/**
 * Values of the surviving contact. Per field: the preferred contact, else its own value, else the most recently updated one.
 * Tags are combined, opt-outs always win, and the highest stage is kept.
 */
export function deriveMergedContact(
  primary: ContactRow,
  others: readonly ContactRow[],
  prefer: ContactMergePreferences,
) {
  const newestFirst = [...others].sort((one, other) => other.updated_at.getTime() - one.updated_at.getTime())
  const all = [primary, ...newestFirst]
  const contactFor = (field: MergeableField): ContactRow =>
    all.find(({ id }) => id === prefer[field]) ?? all.find((contact) => contact[field] !== null) ?? primary
  const values = Object.fromEntries(mergeableFields.map((field) => [field, contactFor(field)[field]]))
  const earliest = (column: 'mql_at' | 'sql_at' | 'opportunity_at' | 'customer_at' | 'former_customer_at') =>
    all.reduce<Date | null>((earliest, { [column]: at }) => (at && (!earliest || at < earliest) ? at : earliest), null)
  const latest = (column: 'last_activity_at' | 'last_engaged_at') =>
    all.reduce<Date | null>((latest, { [column]: at }) => (at && (!latest || at > latest) ? at : latest), null)
  return {
    ...(values as Pick<ContactRow, MergeableField>),
    lifecycle_stage: highestStage(all),
    mql_at: earliest('mql_at'),
    sql_at: earliest('sql_at'),
    opportunity_at: earliest('opportunity_at'),
    customer_at: earliest('customer_at'),
    former_customer_at: earliest('former_customer_at'),
    last_activity_at: latest('last_activity_at'),
    last_engaged_at: latest('last_engaged_at'),
    lead_id: primary.lead_id ?? newestFirst.find(({ lead_id }) => lead_id)?.lead_id ?? null,
    tags: [...new Set(all.flatMap(({ tags }) => tags))].slice(0, maxTags),
    custom: Object.assign({}, ...all.toReversed().map(({ custom }) => custom)) as Record<string, unknown>,
  }
}

/** On a tie, keeps the surviving contact's stage. */
const highestStage = (all: readonly ContactRow[]): string =>
  all
    .map(({ lifecycle_stage }) => lifecycle_stage)
    .reduce((highest, stage) => (stageRank(stage) > stageRank(highest) ? stage : highest))
