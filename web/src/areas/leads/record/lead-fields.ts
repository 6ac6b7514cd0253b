import { labelOfKey } from '../../../patterns/label-of-key.ts'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { listTexts } from '../../../texts/en/list-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { formatMoney } from '../../../ui/format.ts'
import type { DisqualifyReason, LeadStatus } from '../lead-status.ts'
import type { ShownLead } from './lead-changes.ts'

/** The name of a field; custom fields have their key in words. */
export const labelOfField = (field: string): string =>
  texts.fields[field as keyof typeof texts.fields] ?? labelOfKey(field.replace(/^custom\./, ''))

type FormatOptions = { locale: string; lead: ShownLead; chosenOwner?: { id: string | null; name: string } }

/** A value of a field in a conflict, where it stands beside the value of another user. */
export function formatLeadField(field: string, value: unknown, { locale, lead, chosenOwner }: FormatOptions): string {
  if (value === null || value === undefined || value === '') return '–'
  if (field === 'status') return leadTexts.statuses[value as LeadStatus]
  if (field === 'disqualify_reason') return leadTexts.reasons[value as DisqualifyReason]
  if (field === 'owner_id')
    return (value === chosenOwner?.id ? chosenOwner?.name : lead.owner?.name) ?? listTexts.unknownOwner
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'boolean') return value ? recordTexts.yes : recordTexts.no
  if (typeof value === 'object') return formatMoney(value as { amount: string; currency: string }, locale)
  return String(value)
}
