import { invalid } from '#platform/errors'
import { stageRank } from '../persons/life-cycle.rules.ts'
import type { ContactRow } from './contacts.queries.ts'

/** What one contact says and another may say better. */
const mergedFields = [
  ...(['first_name', 'last_name', 'email', 'phone', 'title', 'department', 'account_id', 'owner_id'] as const),
  ...(['linkedin_url', 'country', 'region', 'city', 'timezone', 'source', 'notes'] as const),
] as const
type MergedField = (typeof mergedFields)[number]
const maxTags = 50

export type Prefer = Readonly<Record<string, string>>

/** A preference names a field and one of the contacts at hand. */
export function assertPreferences(prefer: Prefer, contacts: readonly ContactRow[]): void {
  const ids = new Set(contacts.map(({ id }) => id))
  for (const [field, id] of Object.entries(prefer)) {
    if (!mergedFields.includes(field as MergedField))
      throw invalid('body', `/prefer/${field}`, 'unknown', `Choose for one of: ${mergedFields.join(', ')}.`)
    if (!ids.has(id)) throw invalid('body', `/prefer/${field}`, 'unknown', 'Name one of the contacts that are merged.')
  }
}

/**
 * What the contact that stays says afterwards. Per field: who is preferred, else its own value, else the newest there is. Tags are
 * united, objections win, and nobody falls back behind a stage that was reached.
 */
export function mergedValues(primary: ContactRow, others: readonly ContactRow[], prefer: Prefer) {
  const newestFirst = [...others].sort((one, other) => other.updated_at.getTime() - one.updated_at.getTime())
  const all = [primary, ...newestFirst]
  const holderOf = (field: MergedField): ContactRow =>
    all.find(({ id }) => id === prefer[field]) ?? all.find((contact) => contact[field] !== null) ?? primary
  const values = Object.fromEntries(mergedFields.map((field) => [field, holderOf(field)[field]]))
  const first = (column: 'mql_at' | 'sql_at' | 'opportunity_at' | 'customer_at' | 'former_customer_at') =>
    all.reduce<Date | null>((known, { [column]: at }) => (at && (!known || at < known) ? at : known), null)
  const last = (column: 'last_activity_at' | 'last_engaged_at') =>
    all.reduce<Date | null>((known, { [column]: at }) => (at && (!known || at > known) ? at : known), null)
  return {
    ...(values as Pick<ContactRow, MergedField>),
    lifecycle_stage: furthest(all),
    mql_at: first('mql_at'),
    sql_at: first('sql_at'),
    opportunity_at: first('opportunity_at'),
    customer_at: first('customer_at'),
    former_customer_at: first('former_customer_at'),
    last_activity_at: last('last_activity_at'),
    last_engaged_at: last('last_engaged_at'),
    lead_id: primary.lead_id ?? newestFirst.find(({ lead_id }) => lead_id)?.lead_id ?? null,
    tags: [...new Set(all.flatMap(({ tags }) => tags))].slice(0, maxTags),
    custom: Object.assign({}, ...all.toReversed().map(({ custom }) => custom)) as Record<string, unknown>,
    email_status: strictest(holderOf('email'), all),
    call_status: all.some(({ call_status }) => call_status === 'do_not_call') ? 'do_not_call' : 'allowed',
    processing_restricted: all.some(({ processing_restricted }) => processing_restricted),
  }
}

/** An objection is the person's and outlives the address; that mail came back is said of an address only. */
function strictest(holder: ContactRow, all: readonly ContactRow[]): string {
  const said = all.map(({ email_status }) => email_status)
  return ['complained', 'unsubscribed'].find((status) => said.includes(status)) ?? holder.email_status
}

/** Of two at the same height the one of the contact that stays. */
const furthest = (all: readonly ContactRow[]): string =>
  all
    .map(({ lifecycle_stage }) => lifecycle_stage)
    .reduce((far, stage) => (stageRank(stage) > stageRank(far) ? stage : far))
