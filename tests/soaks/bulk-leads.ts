import type { TestApp, TestWorkspace } from './soak.ts'

/** A bulk update and the records it must write. */
export type BulkChange = {
  action: string
  params: object
  field: 'status' | 'owner_id'
  value: string
  /** Type of the event and action of the audit entry. */
  eventType: string
  activity: string
}

/** Concurrent edit of a lead by another user. */
export type Edit = 'deleted' | 'converted' | 'already updated' | 'no longer matching'

/** Inserts leads of one year, of which `matching` match the filter of the bulk update. */
export async function addLeads(
  acme: TestWorkspace,
  { matching, others }: { matching: number; others: number },
): Promise<void> {
  await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, company, title, email, source, search_text, created_at, created_on)
     select $1, gen_random_uuid(), 'Lead ' || n, 'Company ' || n % 5000, 'Manager', 'lead' || n || '@company.example',
       case when n <= $2 then 'matching' else 'others' end, 'lead ' || n, day, day::date
     from generate_series(1, $2::integer + $3::integer) n
     cross join lateral (select timestamptz '2026-01-01 12:00Z' + n % 365 * interval '1 day') as created(day)`,
    [acme.id, matching, others],
  )
  await acme.sql('analyze crm.leads')
}

export type LeadLock = Awaited<ReturnType<typeof lockLead>>

/** Locks one of the leads of a source, so that a worker stops within its batch and few records are enough to kill it there. */
export async function lockLead(
  { owner }: TestApp,
  { id: tenantId }: TestWorkspace,
  { source, position }: { source: string; position: number },
) {
  const client = await owner.connect()
  await client.query('begin')
  await client.query(
    `select from crm.leads where id = (select id from crm.leads where tenant_id = $1 and source = $2 order by id offset $3 limit 1)
     for update`,
    [tenantId, source, Math.floor(position)],
  )
  return {
    async release(): Promise<void> {
      await client.query('rollback')
      client.release()
    },
  }
}

/** A lead after the bulk update, with the number of events, audit entries and activities of the update. */
type LeadState = {
  id: string
  is_matching: boolean
  has_value: boolean
  version: number
  events: number
  audit_entries: number
  by_requester: boolean
  activities: number
  edit?: Edit
}

export async function readLeadStates(
  acme: TestWorkspace,
  { field, value, eventType, activity }: BulkChange,
  editByLead: ReadonlyMap<string, Edit>,
): Promise<LeadState[]> {
  const { rows } = await acme.sql(
    `select lead.id, lead.source = 'matching' as is_matching, lead.${field}::text is not distinct from $2 as has_value,
       lead.version,
       coalesce(event.count, 0) as events, coalesce(entry.count, 0) as audit_entries,
       coalesce(entry.by_requester, true) as by_requester, coalesce(activity.count, 0) as activities
     from crm.leads lead
     left join (select subject_id::uuid as subject_id, count(*)::integer from platform.outbox_events
       where tenant_id = $1 and type = $3 and data ->> 'to' = $2 group by 1) event on event.subject_id = lead.id
     left join (select resource_id, count(*)::integer, bool_and(user_id = $5 and actor_type = 'user') as by_requester
       from platform.audit_log where tenant_id = $1 and action = $3 group by 1) entry on entry.resource_id = lead.id
     left join (select lead_id, count(*)::integer from crm.activities
       where tenant_id = $1 and type = $4 and meta ->> 'to' = $2 group by 1) activity on activity.lead_id = lead.id
     where lead.tenant_id = $1`,
    [acme.id, value, eventType, activity, acme.member.userId],
  )
  return rows.map((row) => {
    const edit = editByLead.get(row.id)
    return { ...row, is_matching: row.is_matching || edit === 'no longer matching', edit }
  })
}

/** Derives the expected task result from the states of the leads. */
export function expectedResult(leads: readonly LeadState[]) {
  const matching = leads.filter(({ is_matching }) => is_matching)
  const skippedBecause = (edit: Edit) =>
    matching.filter((lead) => lead.edit === edit && !lead.audit_entries).map(({ id }) => id)
  const failures = { not_found: skippedBecause('deleted'), lead_converted: skippedBecause('converted') }
  return {
    total: matching.length,
    succeeded: matching.filter(({ audit_entries }) => audit_entries).length,
    unchanged: skippedBecause('already updated').length,
    failed: failures.not_found.length + failures.lead_converted.length,
    failures,
  }
}

export const findViolations = (leads: readonly LeadState[]): string[] =>
  leads.filter((lead) => !isConsistent(lead)).map((lead) => `inconsistent lead: ${JSON.stringify(lead)}`)

function isConsistent(lead: LeadState): boolean {
  const { is_matching, has_value, version, events, audit_entries, by_requester, activities, edit } = lead
  const isRecordedOnce = events === 1 && activities === 1
  if (!is_matching) return !has_value && version === 1 && events + audit_entries + activities === 0
  if (!by_requester || audit_entries > 1) return false
  if (!edit) return has_value && version === 2 && audit_entries === 1 && isRecordedOnce
  if (edit === 'already updated') return has_value && isRecordedOnce
  if (edit === 'no longer matching') return has_value && audit_entries === 1 && isRecordedOnce
  // Deleted or converted: updated completely before the edit, or not at all.
  const isComplete = events === audit_entries && activities === audit_entries
  return isComplete && has_value === (edit === 'deleted' && audit_entries === 1)
}
