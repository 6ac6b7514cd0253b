import type { Acme } from './soak.ts'

/** What all leads of the filter get, and what tells of it. */
export type Change = {
  action: string
  params: object
  /** The column that gets a value, with the fact that is announced and audited and the entry in the timeline. */
  field: 'status' | 'owner_id'
  value: string
  fact: string
  activity: string
}

/** What somebody else did to a lead while the task ran. */
export type Meddling = 'deleted' | 'converted' | 'done already' | 'no longer meant'

/** Leads of a year, most of them meant by the filter. */
export async function addLeads(acme: Acme, { meant, others }: { meant: number; others: number }): Promise<void> {
  await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, company, title, email, source, search_text, created_at, created_on)
     select $1, gen_random_uuid(), 'Lead ' || n, 'Company ' || n % 5000, 'Manager', 'lead' || n || '@company.example',
       case when n <= $2 then 'meant' else 'others' end, 'lead ' || n, day, day::date
     from generate_series(1, $2::integer + $3::integer) n
     cross join lateral (select timestamptz '2026-01-01 12:00Z' + n % 365 * interval '1 day') as made(day)`,
    [acme.id, meant, others],
  )
  await acme.sql('analyze crm.leads')
}

type Lead = {
  id: string
  is_meant: boolean
  has_value: boolean
  version: number
  events: number
  audited: number
  by_orderer: boolean
  noted: number
  meddling?: Meddling
}

/** Each lead as it is now, with everything that tells of the change. */
export async function leadsAfterwards(
  acme: Acme,
  { field, value, fact, activity }: Change,
  meddled: ReadonlyMap<string, Meddling>,
): Promise<Lead[]> {
  const { rows } = await acme.sql(
    `select lead.id, lead.source = 'meant' as is_meant, lead.${field}::text is not distinct from $2 as has_value,
       lead.version,
       coalesce(event.count, 0) as events, coalesce(entry.count, 0) as audited, coalesce(entry.by_orderer, true) as by_orderer,
       coalesce(activity.count, 0) as noted
     from crm.leads lead
     left join (select subject_id::uuid as subject_id, count(*)::integer from platform.outbox_events
       where tenant_id = $1 and type = $3 and data ->> 'to' = $2 group by 1) event on event.subject_id = lead.id
     left join (select resource_id, count(*)::integer, bool_and(user_id = $5 and actor_type = 'user') as by_orderer
       from platform.audit_log where tenant_id = $1 and action = $3 group by 1) entry on entry.resource_id = lead.id
     left join (select lead_id, count(*)::integer from crm.activities
       where tenant_id = $1 and type = $4 and meta ->> 'to' = $2 group by 1) activity on activity.lead_id = lead.id
     where lead.tenant_id = $1`,
    [acme.id, value, fact, activity, acme.member.userId],
  )
  return rows.map((row) => {
    const meddling = meddled.get(row.id)
    return { ...row, is_meant: row.is_meant || meddling === 'no longer meant', meddling }
  })
}

/** How the figures of the task must be, from what has happened to each lead. */
export function expectedResult(leads: readonly Lead[]) {
  const meant = leads.filter(({ is_meant }) => is_meant)
  const leftOut = (meddling: Meddling) =>
    meant.filter((lead) => lead.meddling === meddling && !lead.audited).map(({ id }) => id)
  const failures = { not_found: leftOut('deleted'), lead_converted: leftOut('converted') }
  return {
    total: meant.length,
    succeeded: meant.filter(({ audited }) => audited).length,
    unchanged: leftOut('done already').length,
    failed: failures.not_found.length + failures.lead_converted.length,
    failures,
  }
}

/** What is wrong with single leads. */
export const violationsIn = (leads: readonly Lead[]): string[] =>
  leads.filter((lead) => !isRight(lead)).map((lead) => `this lead is not as it must be: ${JSON.stringify(lead)}`)

function isRight({ is_meant, has_value, version, events, audited, by_orderer, noted, meddling }: Lead): boolean {
  const isToldOnce = events === 1 && noted === 1
  if (!is_meant) return !has_value && version === 1 && events + audited + noted === 0
  if (!by_orderer || audited > 1) return false
  if (!meddling) return has_value && version === 2 && audited === 1 && isToldOnce
  if (meddling === 'done already') return has_value && isToldOnce
  if (meddling === 'no longer meant') return has_value && audited === 1 && isToldOnce
  // Either it was changed before it went, or not at all.
  const isWhole = events === audited && noted === audited
  return isWhole && has_value === (meddling === 'deleted' && audited === 1)
}
