import type { RecordField } from '../../../patterns/record/field-list.tsx'
import { leadRecordTexts } from '../../../texts/en/lead-record-texts.ts'
import { formatDateTime, formatMoney } from '../../../ui/format.ts'
import type { Lead, LeadSource } from '../lead-queries.ts'
import { toWebUrl } from './contact-links.ts'

export type FieldGroup = { title: string; fields: RecordField[] }

type GroupOptions = { locale: string; currency: string; sources: readonly LeadSource[]; assign: () => void }

const texts = leadRecordTexts.fields

/** The standard fields of a lead, in the order of the details. */
export function standardGroups(lead: Lead, { locale, currency, sources, assign }: GroupOptions): FieldGroup[] {
  const field = (name: keyof typeof texts, others: Partial<RecordField> = {}): RecordField => ({
    field: name,
    label: texts[name],
    value: lead[name as keyof Lead],
    ...others,
  })
  const date = (name: 'created_at' | 'last_activity_at' | 'first_responded_at') =>
    field(name, { isReadOnly: true, show: (value) => (value ? formatDateTime(String(value), locale) : '') })
  const sourceOptions = sources.map(({ key, label }) => ({ value: key, label }))
  return [
    {
      title: leadRecordTexts.person,
      fields: [
        field('first_name'),
        field('last_name'),
        field('title'),
        field('email', { kind: 'email' }),
        field('phone', { kind: 'tel' }),
        webField(field('linkedin_url')),
        field('city'),
        field('region'),
        countryField(field('country'), locale),
      ],
    },
    {
      title: leadRecordTexts.company,
      fields: [
        field('company'),
        webField(field('website')),
        field('industry'),
        field('employee_count', { kind: 'number' }),
        moneyField(field('annual_revenue'), locale, currency),
      ],
    },
    {
      title: leadRecordTexts.origin,
      fields: [
        {
          ...field('owner_id', { edit: assign }),
          value: lead.owner?.id ?? null,
          show: (value) => (value === (lead.owner?.id ?? null) ? lead.owner?.name : leadRecordTexts.changed),
        },
        field('source', {
          kind: 'select',
          options: sourceOptions.some(({ value }) => value === lead.source)
            ? sourceOptions
            : [...sourceOptions, { value: lead.source, label: lead.source }],
        }),
        field('source_detail'),
        date('created_at'),
        date('first_responded_at'),
        date('last_activity_at'),
      ],
    },
    { title: leadRecordTexts.notes, fields: [field('notes', { kind: 'multiline' })] },
  ]
}

export const webField = (field: RecordField): RecordField => ({
  ...field,
  kind: 'url',
  toUrl: (value) => toWebUrl(typeof value === 'string' ? value : null),
})

function countryField(field: RecordField, locale: string): RecordField {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return {
    ...field,
    show: (value) => (value ? nameOfCountry(names, String(value)) : ''),
    toValue: (text) => text.trim().toUpperCase() || null,
  }
}

function nameOfCountry(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

type Money = { amount: string; currency: string }
const isMoney = (value: unknown): value is Money => typeof value === 'object' && value !== null && 'amount' in value

/** An amount is edited as a number; its currency stays. */
export function moneyField(field: RecordField, locale: string, standardCurrency: string): RecordField {
  const currency = isMoney(field.value) ? field.value.currency : standardCurrency
  return {
    ...field,
    kind: 'number',
    show: (value) => (isMoney(value) ? formatMoney(value, locale) : ''),
    toText: (value) => (isMoney(value) ? value.amount : ''),
    toValue: (text) => (text.trim() ? { amount: text.trim(), currency } : null),
  }
}
