import { invalid } from '#platform/errors'
import type { LeadRow } from '../leads/leads.queries.ts'
import { stageRank } from '../persons/life-cycle.rules.ts'

/** What one lead says and another may say better. */
const mergedFields = [
  ...(['first_name', 'last_name', 'email', 'phone', 'title', 'company', 'website', 'linkedin_url'] as const),
  ...(['industry', 'employee_count', 'annual_revenue', 'country', 'region', 'city', 'timezone'] as const),
  ...(['source', 'source_detail', 'utm', 'owner_id', 'notes'] as const),
] as const
type MergedField = (typeof mergedFields)[number]

/** Some of what is said takes more than one column. */
const columnsOf: Partial<Record<MergedField, readonly (keyof LeadRow)[]>> = {
  annual_revenue: ['annual_revenue_minor', 'annual_revenue_currency', 'annual_revenue_base_minor'],
  owner_id: ['owner_id', 'assigned_at'],
}
const columnsFor = (field: MergedField): readonly (keyof LeadRow)[] => columnsOf[field] ?? [field as keyof LeadRow]

const maxTags = 50

export type Prefer = Readonly<Record<string, string>>

/** A preference names a field and one of the leads at hand. */
export function assertPreferences(prefer: Prefer, leads: readonly LeadRow[]): void {
  const ids = new Set(leads.map(({ id }) => id))
  for (const [field, id] of Object.entries(prefer)) {
    if (!mergedFields.includes(field as MergedField))
      throw invalid('body', `/prefer/${field}`, 'unknown', `Choose for one of: ${mergedFields.join(', ')}.`)
    if (!ids.has(id)) throw invalid('body', `/prefer/${field}`, 'unknown', 'Name one of the leads that are merged.')
  }
}

type Instants = 'mql_at' | 'sql_at' | 'opportunity_at' | 'customer_at' | 'last_activity_at' | 'last_engaged_at'

/**
 * What the lead that stays says afterwards. Per field: who is preferred, else its own value, else the newest there is. Tags are
 * united, objections win, and nobody falls back behind a stage that was reached.
 */
export function mergedValues(primary: LeadRow, others: readonly LeadRow[], prefer: Prefer): Partial<LeadRow> {
  const newestFirst = [...others].sort((one, other) => other.updated_at.getTime() - one.updated_at.getTime())
  const all = [primary, ...newestFirst]
  const holderOf = (field: MergedField): LeadRow =>
    all.find(({ id }) => id === prefer[field]) ?? all.find((lead) => lead[columnsFor(field)[0]!] !== null) ?? primary
  const said = mergedFields.flatMap((field) => columnsFor(field).map((column) => [column, holderOf(field)[column]]))
  const first = (column: Instants) => pick(all, column, (at, known) => at < known)
  const last = (column: Instants) => pick(all, column, (at, known) => at > known)
  return {
    ...Object.fromEntries(said),
    ...firstResponse(all),
    lifecycle_stage: furthest(all),
    mql_at: first('mql_at'),
    sql_at: first('sql_at'),
    opportunity_at: first('opportunity_at'),
    customer_at: first('customer_at'),
    last_activity_at: last('last_activity_at'),
    last_engaged_at: last('last_engaged_at'),
    tags: [...new Set(all.flatMap(({ tags }) => tags))].slice(0, maxTags),
    custom: Object.assign({}, ...all.toReversed().map(({ custom }) => custom)),
    email_status: strictest(holderOf('email'), all),
    call_status: all.some(({ call_status }) => call_status === 'do_not_call') ? 'do_not_call' : 'allowed',
    processing_restricted: all.some(({ processing_restricted }) => processing_restricted),
  }
}

function pick(all: readonly LeadRow[], column: Instants, isBetter: (at: Date, known: Date) => boolean): Date | null {
  return all.reduce<Date | null>(
    (known, { [column]: at }) => (at && (!known || isBetter(at, known)) ? at : known),
    null,
  )
}

/** Whoever answered any of them first answered the person. */
function firstResponse(all: readonly LeadRow[]): Pick<LeadRow, 'first_responded_at' | 'first_responder_id'> {
  const answered = all.filter(({ first_responded_at }) => first_responded_at !== null)
  const [earliest] = answered.sort(
    (one, other) => one.first_responded_at!.getTime() - other.first_responded_at!.getTime(),
  )
  const { first_responded_at = null, first_responder_id = null } = earliest ?? {}
  return { first_responded_at, first_responder_id }
}

/** An objection is the person's and outlives the address; that mail came back is said of an address only. */
function strictest(holder: LeadRow, all: readonly LeadRow[]): string {
  const said = all.map(({ email_status }) => email_status)
  return ['complained', 'unsubscribed'].find((status) => said.includes(status)) ?? holder.email_status
}

/** Of two at the same height the one of the lead that stays. */
const furthest = (all: readonly LeadRow[]): string =>
  all
    .map(({ lifecycle_stage }) => lifecycle_stage)
    .reduce((far, stage) => (stageRank(stage) > stageRank(far) ? stage : far))
