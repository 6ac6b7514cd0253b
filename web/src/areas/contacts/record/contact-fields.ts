import { labelOfKey } from '../../../patterns/label-of-key.ts'
import type { RecordField } from '../../../patterns/record/field-list.tsx'
import { countryField, type FieldGroup, webField } from '../../../patterns/record/fields/record-fields.ts'
import { contactListTexts } from '../../../texts/en/contact-list-texts.ts'
import { contactRecordTexts as texts } from '../../../texts/en/contact-record-texts.ts'
import { listTexts } from '../../../texts/en/list-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { formatDateTime, formatMoney } from '../../../ui/format.ts'
import type { Contact } from '../contact-queries.ts'
import type { ContactStage } from '../contact-stages.ts'
import type { ShownContact } from './contact-changes.ts'

export type NamedRecord = { id: string | null; name: string }
/** The owner and the account that the user has chosen, whose names no response has yet. */
export type ChosenRecords = Partial<Record<'owner_id' | 'account_id', NamedRecord>>

type GroupOptions = {
  locale: string
  chosen: ChosenRecords
  assign: () => void
  chooseAccount: () => void
}

/** The standard fields of a contact, in the order of the details. */
export function standardGroups(contact: Contact, options: GroupOptions): FieldGroup[] {
  const { locale, assign, chooseAccount } = options
  const field = (name: keyof typeof texts.fields, others: Partial<RecordField> = {}): RecordField => ({
    field: name,
    label: texts.fields[name],
    value: contact[name as keyof Contact],
    ...others,
  })
  const reference = (name: 'owner_id' | 'account_id', edit: () => void) =>
    field(name, { edit, show: (value) => nameOf(name, value, { contact, chosen: options.chosen }) })
  const date = (name: 'created_at' | 'last_activity_at' | 'last_engaged_at' | 'customer_at') =>
    field(name, { isReadOnly: true, show: (value) => (value ? formatDateTime(String(value), locale) : '') })
  return [
    {
      title: texts.person,
      fields: [
        field('first_name'),
        field('last_name'),
        field('title'),
        field('department'),
        field('email', { kind: 'email' }),
        field('phone', { kind: 'tel' }),
        webField(field('linkedin_url')),
        field('city'),
        field('region'),
        countryField(field('country'), locale),
      ],
    },
    {
      title: texts.work,
      fields: [
        reference('account_id', chooseAccount),
        reference('owner_id', assign),
        field('source', { isReadOnly: true, show: (value) => (value ? labelOfKey(String(value)) : '') }),
        date('created_at'),
        date('last_activity_at'),
        date('last_engaged_at'),
        date('customer_at'),
      ],
    },
    { title: texts.notes, fields: [field('notes', { kind: 'multiline' })] },
  ]
}

type NameOptions = { contact: ShownContact; chosen: ChosenRecords }

/** The name of an owner or account, which the record or the last choice of the user has. */
export function nameOf(field: keyof ChosenRecords, id: unknown, { contact, chosen }: NameOptions): string {
  if (id === null || id === undefined) return ''
  const known = [field === 'owner_id' ? contact.owner : contact.account, chosen[field]]
  return known.find((one) => one?.id === id)?.name ?? listTexts.unknownOwner
}

/** The name of a field; custom fields have their key in words. */
export const labelOfField = (field: string): string =>
  texts.fields[field as keyof typeof texts.fields] ?? labelOfKey(field.replace(/^custom\./, ''))

type FormatOptions = { locale: string } & NameOptions

/** A value of a field in a conflict, where it stands beside the value of another user. */
export function formatContactField(field: string, value: unknown, { locale, ...names }: FormatOptions): string {
  if (value === null || value === undefined || value === '') return '–'
  if (field === 'lifecycle_stage') return contactListTexts.stages[value as ContactStage]
  if (field === 'owner_id' || field === 'account_id') return nameOf(field, value, names)
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'boolean') return value ? recordTexts.yes : recordTexts.no
  if (typeof value === 'object') return formatMoney(value as { amount: string; currency: string }, locale)
  return String(value)
}
