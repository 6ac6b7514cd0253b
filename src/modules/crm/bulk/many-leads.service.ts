import type { Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { type LeadRow, lockLeads } from '../leads/leads.queries.ts'
import { isScoringField, readScoringConfig, rescoreLeads } from '../scoring/scoring.service.ts'
import { holdScoringRules } from '../scoring/scoring-config.queries.ts'
import { changeFieldsOfAll } from './many-leads.queries.ts'

type Fields = Updateable<Database['crm.leads']>
/** A lead as it was, and as it is. */
export type Changed = { before: LeadRow; after: LeadRow }
/** Whether there was something to change, or why it was refused. */
export type Verdict = boolean | AppError

type Plan = {
  /** What a lead gets; undefined if it has that already. It may refuse. */
  fieldsFor(lead: LeadRow): Fields | undefined
  /** Writes down and tells what has changed. */
  announce(changes: readonly Changed[]): Promise<void>
}

/** Changes leads that the transaction has locked, in as many statements as there are different things to write. */
export async function changeMany(
  tx: TenantTx,
  ids: readonly string[],
  { fieldsFor, announce }: Plan,
  now: Date,
): Promise<Verdict[]> {
  const rows = new Map((await lockLeads(tx, ids)).map((lead) => [lead.id, lead]))
  const leads = ids.map((id) => rows.get(id)!)
  const planned = leads.map((lead) => refusalOr(() => fieldsFor(lead)))
  const alike = Map.groupBy(
    leads.flatMap((before, index) => {
      const fields = planned[index]
      return fields && !(fields instanceof AppError) ? [{ before, fields }] : []
    }),
    ({ fields }) => JSON.stringify(fields),
  )
  const after = new Map<string, LeadRow>()
  for (const some of alike.values()) {
    const changed = await changeFieldsOfAll(
      tx,
      some.map(({ before }) => before.id),
      some[0]!.fields,
    )
    for (const lead of changed) after.set(lead.id, lead)
  }
  const changes = leads.flatMap((before) => {
    const lead = after.get(before.id)
    return lead ? [{ before, after: lead }] : []
  })
  await announce(changes)
  await rescoreChanged(tx, changes, now)
  return planned.map((fields) => (fields instanceof AppError ? fields : fields !== undefined))
}

function refusalOr<T>(decide: () => T): T | AppError {
  try {
    return decide()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

const scored = ['owner_id', 'status', 'lifecycle_stage', 'disqualify_reason'] as const

/** Those whose score the rules make depend on what has changed. */
async function rescoreChanged(tx: TenantTx, changes: readonly Changed[], now: Date): Promise<void> {
  if (!changes.length) return
  const config = await readScoringConfig(tx)
  const asked = scored.filter((field) => isScoringField(config, field))
  const ids = changes
    .filter(({ before, after }) => asked.some((field) => after[field] !== before[field]))
    .map(({ after }) => after.id)
  if (!ids.length) return
  const leads = await lockLeads(tx, ids)
  // Whoever goes through all leads with new rules cannot see these before the transaction ends, so they wait for them.
  if (leads.some(({ scored_at }) => scored_at === null)) await holdScoringRules(tx)
  await rescoreLeads(tx, leads, { cause: 'changed', now })
}
