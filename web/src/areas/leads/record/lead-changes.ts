import type { Fields } from '../../../api/merge-fields.ts'
import { type SaveFields, useSaveFields } from '../../../patterns/record/use-save-fields.ts'
import { type Lead, type LeadChanges, type LeadRow, loadLead, storeLead, updateLead } from '../lead-queries.ts'

/** A row of the list, or the whole record once it is loaded. */
export type ShownLead = LeadRow & Partial<Lead>

const customPrefix = 'custom.'

/** Saves fields of a lead; custom fields have the name `custom.<key>`. */
export const useLeadChanges = (lead: ShownLead): SaveFields =>
  useSaveFields<ShownLead>({
    record: lead,
    update: (current, changes) => updateLead(current, toLeadChanges(changes)),
    load: () => loadLead(lead.id),
    store: (saved) => storeLead(saved as Lead),
    readValue: readLeadValue,
  })

export function toLeadChanges(changes: Fields): LeadChanges {
  const custom = Object.entries(changes).filter(([field]) => field.startsWith(customPrefix))
  const standard = Object.entries(changes).filter(([field]) => !field.startsWith(customPrefix))
  return {
    ...Object.fromEntries(standard),
    ...(custom.length > 0 && {
      custom: Object.fromEntries(custom.map(([field, value]) => [field.slice(customPrefix.length), value])),
    }),
  } as LeadChanges
}

export function readLeadValue(lead: ShownLead, field: string): unknown {
  if (field === 'owner_id') return lead.owner?.id ?? null
  if (field.startsWith(customPrefix)) return lead.custom[field.slice(customPrefix.length)] ?? null
  return lead[field as keyof ShownLead] ?? null
}

/** The lead with the changes that are not saved yet. */
export const withPending = (lead: ShownLead, { pending }: Pick<SaveFields, 'pending'>): ShownLead => ({
  ...lead,
  ...Object.fromEntries(Object.entries(pending).filter(([field]) => field in lead)),
})
