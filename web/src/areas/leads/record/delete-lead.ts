import { api, ifMatch, read } from '../../../api/client.ts'
import { showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { showToast } from '../../../ui/toast.tsx'
import { nameOfLead } from '../lead-names.ts'
import { type Lead, type LeadRow, refreshLeads, storeLead } from '../lead-queries.ts'

/** Deletes a lead at once, because it can be restored. Returns whether it was deleted. */
export async function deleteLead(lead: LeadRow): Promise<boolean> {
  const params = { path: { lead_id: lead.id } }
  try {
    await read(api.DELETE('/api/leads/{lead_id}', { params, headers: ifMatch(lead.version) }))
  } catch (error) {
    showRepeatableProblem(error, () => void deleteLead(lead))
    return false
  }
  showToast(texts.deleted(nameOfLead(lead)), {
    action: { label: texts.undo, run: () => void restoreAgain(lead.id) },
  })
  await refreshLeads()
  return true
}

const restoreAgain = (id: string): Promise<unknown> =>
  restoreLead(id).catch((error) => showRepeatableProblem(error, () => void restoreAgain(id)))

export async function restoreLead(id: string): Promise<Lead> {
  const lead = await read(api.POST('/api/leads/{lead_id}/restore', { params: { path: { lead_id: id } } }))
  storeLead(lead)
  showToast(texts.restored(nameOfLead(lead)))
  await refreshLeads()
  return lead
}
