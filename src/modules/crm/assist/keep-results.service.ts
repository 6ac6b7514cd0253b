import type { Answered } from '#platform/ai'
import { record } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { noteSystemActivity } from '../activities/system-activities.queries.ts'
import type { LeadRow } from '../leads/leads.queries.ts'
import { insertResult } from './assist.queries.ts'
import type { Draft, DraftWish, Judgement, Letter, Qualification } from './assist.schemas.ts'
import { sendability } from './draft.rules.ts'
import { warningsFor } from './letter.rules.ts'
import type { Material } from './material.rules.ts'
import { hashOf, stillThere } from './material.service.ts'
import { missingIn, suggestionsFor } from './qualify.rules.ts'

type Judged = { answer: Answered<Judgement>; data: object; now: Date }

/** Keeps what was found, and notes it in the timeline. Suggestions go by what the lead is by now. */
export async function keepQualification(
  tx: TenantTx,
  leadId: string,
  { answer: { output, ...by }, data, now }: Judged,
): Promise<Qualification> {
  const lead = await stillThere(tx, leadId)
  const { verdict } = output
  const missing = missingIn(lead)
  const result = { ...by, ...output, missing, ...suggestionsFor(verdict, lead), generated_at: now }
  await keep(tx, newId(), { lead, kind: 'qualify', by, result, data })
  const { confidence } = output
  const meta = { verdict, confidence, engine: by.engine }
  await noteSystemActivity(tx, { lead_id: leadId }, { type: 'ai_qualified', meta, at: now })
  await record(tx, 'lead.ai_qualified', { id: leadId, label: labelOf(lead), after: { ...by, verdict } })
  return result
}

type Drafted = { answer: Answered<Letter>; wanted: DraftWish & Pick<Draft, 'purpose'>; data: object }

/** Keeps a draft. Whether it may be sent goes by what the person wants by now. */
export async function keepDraft(
  tx: TenantTx,
  material: Material,
  { answer: { output: letter, ...by }, wanted, data }: Drafted,
): Promise<Draft> {
  const lead = await stillThere(tx, material.lead.id)
  const { purpose } = wanted
  const warnings = warningsFor(material, wanted, { engine: by.engine, letter })
  const draft_id = newId()
  const draft = { draft_id, ...by, purpose, ...letter, warnings, ...sendability({ ...material, lead }) }
  await keep(tx, draft_id, { lead, kind: 'draft', by, result: draft, data })
  await record(tx, 'lead.ai_drafted', { id: lead.id, label: labelOf(lead), after: { ...by, purpose } })
  return draft
}

type Kept = {
  lead: LeadRow
  kind: 'qualify' | 'draft'
  by: Pick<Qualification, 'engine'>
  result: object
  data: object
}

const keep = (tx: TenantTx, id: string, { lead, kind, by: { engine }, result, data }: Kept): Promise<void> =>
  insertResult(
    tx,
    id,
    { lead_id: lead.id, kind, engine, result, input_hash: hashOf({ kind, data }) },
    actorOf(tx).userId,
  )

const labelOf = ({ name, company, email }: LeadRow): string | null => name ?? company ?? email
