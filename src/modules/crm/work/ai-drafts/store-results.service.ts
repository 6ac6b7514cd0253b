import type { AssistAnswer } from '#platform/ai'
import { recordAudit } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { LeadRow } from '../../people/lead-records/leads.queries.ts'
import { insertSystemActivity } from '../../records/system-activities/system-activities.queries.ts'
import { insertAiResult } from './assist.queries.ts'
import type {
  DraftEmailRequest,
  EmailContent,
  LeadAssessment,
  LeadEmailDraft,
  Qualification,
} from './assist.schemas.ts'
import type { AssistContext } from './assist-context.rules.ts'
import { hashInput, lockProcessableLead } from './assist-context.service.ts'
import { checkSendable } from './draft.rules.ts'
import { draftWarnings } from './draft-content.rules.ts'
import { missingFieldsOf, suggestNextStatus } from './qualify.rules.ts'

type NewQualification = { answer: AssistAnswer<LeadAssessment>; data: object; now: Date }

/** Stores an assessment and adds it to the timeline. Suggestions depend on the current state of the lead. */
export async function storeQualification(
  tx: TenantTx,
  leadId: string,
  { answer: { output, ...provenance }, data, now }: NewQualification,
): Promise<Qualification> {
  const lead = await lockProcessableLead(tx, leadId)
  const { verdict, confidence } = output
  const missing = missingFieldsOf(lead)
  const result = { ...provenance, ...output, missing, ...suggestNextStatus(verdict, lead), generated_at: now }
  await insertResult(tx, newId(), { lead, kind: 'qualify', provenance, result, data })
  const meta = { verdict, confidence, engine: provenance.engine }
  await insertSystemActivity(tx, { lead_id: leadId }, { type: 'ai_qualified', meta, at: now })
  await recordAudit(tx, 'lead.ai_qualified', { id: leadId, label: labelOf(lead), after: { ...provenance, verdict } })
  return result
}

type NewDraft = {
  answer: AssistAnswer<EmailContent>
  wanted: DraftEmailRequest & Pick<LeadEmailDraft, 'purpose'>
  data: object
}

/** Stores a draft. Whether it may be sent depends on the current consent of the lead. */
export async function storeDraft(
  tx: TenantTx,
  context: AssistContext,
  { answer: { output: email, ...provenance }, wanted, data }: NewDraft,
): Promise<LeadEmailDraft> {
  const lead = await lockProcessableLead(tx, context.lead.id)
  const { purpose } = wanted
  const warnings = draftWarnings(context, wanted, { engine: provenance.engine, email })
  const draft_id = newId()
  const draft = { draft_id, ...provenance, purpose, ...email, warnings, ...checkSendable({ ...context, lead }) }
  await insertResult(tx, draft_id, { lead, kind: 'draft', provenance, result: draft, data })
  await recordAudit(tx, 'lead.ai_drafted', { id: lead.id, label: labelOf(lead), after: { ...provenance, purpose } })
  return draft
}

type ResultInput = {
  lead: LeadRow
  kind: 'qualify' | 'draft'
  provenance: Pick<Qualification, 'engine'>
  result: object
  data: object
}

async function insertResult(tx: TenantTx, id: string, { lead, kind, provenance, result, data }: ResultInput) {
  const { engine } = provenance
  const row = { lead_id: lead.id, kind, engine, result, input_hash: hashInput({ kind, data }) }
  await insertAiResult(tx, id, row, actorOf(tx).userId)
}

const labelOf = ({ name, company, email }: LeadRow): string | null => name ?? company ?? email
