import type { RecordField } from '../../../patterns/record/field-list.tsx'
import { countryField, type FieldGroup, webField } from '../../../patterns/record/fields/record-fields.ts'
import { moneyField } from '../../../patterns/record/money-field.ts'
import { leadRecordTexts } from '../../../texts/en/lead-record-texts.ts'
import { formatDateTime } from '../../../ui/format.ts'
import type { Lead, LeadSource } from '../lead-queries.ts'

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
