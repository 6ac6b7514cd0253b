import { api, ifMatch, read } from '../../../api/client.ts'
import { deleteRecord } from '../../../patterns/record/delete-record.ts'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { showToast } from '../../../ui/toast.tsx'
import { nameOfLead } from '../lead-names.ts'
import { type Lead, type LeadRow, refreshLeads, storeLead } from '../lead-queries.ts'

export const deleteLead = (lead: LeadRow): Promise<boolean> =>
  deleteRecord({
    remove: () =>
      read(
        api.DELETE('/api/leads/{lead_id}', {
          params: { path: { lead_id: lead.id } },
          headers: ifMatch(lead.version),
        }),
      ),
    restore: () => restoreLead(lead.id),
    texts: { deleted: texts.deleted(nameOfLead(lead)), undo: texts.undo },
    refresh: refreshLeads,
  })

export async function restoreLead(id: string): Promise<Lead> {
  const lead = await read(api.POST('/api/leads/{lead_id}/restore', { params: { path: { lead_id: id } } }))
  storeLead(lead)
  showToast(texts.restored(nameOfLead(lead)))
  await refreshLeads()
  return lead
}
