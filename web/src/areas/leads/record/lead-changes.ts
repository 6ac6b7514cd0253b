import { readField, toRequest } from '../../../patterns/record/fields/field-changes.ts'
import { type SaveFields, useSaveFields } from '../../../patterns/record/use-save-fields.ts'
import { type Lead, type LeadChanges, type LeadRow, loadLead, storeLead, updateLead } from '../lead-queries.ts'

/** A row of the list, or the whole record once it is loaded. */
export type ShownLead = LeadRow & Partial<Lead>

/** Saves fields of a lead. */
export const useLeadChanges = (lead: ShownLead): SaveFields =>
  useSaveFields<ShownLead>({
    record: lead,
    update: (current, changes) => updateLead(current, toRequest(changes) as LeadChanges),
    load: () => loadLead(lead.id),
    store: (saved) => storeLead(saved as Lead),
    readValue: readField,
  })
