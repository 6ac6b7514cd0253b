import type { Schemas } from '../../../api/client.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { formatDate, formatDateTime } from '../../../ui/format.ts'
import { fromTimeInput, toTimeInput } from '../../../ui/time-zone.ts'
import type { RecordField } from '../field-list.tsx'
import { moneyField } from '../money-field.ts'
import { type FieldGroup, noValue, webField } from './record-fields.ts'

type CustomField = Schemas['CustomField']
type Options = { locale: string; currency: string }

const kinds: Readonly<Partial<Record<CustomField['type'], RecordField['kind']>>> = {
  text: 'text',
  long_text: 'multiline',
  number: 'number',
  boolean: 'select',
  date: 'date',
  datetime: 'datetime-local',
  select: 'select',
  multi_select: 'choices',
  url: 'url',
  email: 'email',
  phone: 'tel',
  money: 'number',
}

/** The custom fields of the workspace with the values of the record, in the groups of the workspace. */
export function customGroups(
  definitions: readonly CustomField[],
  values: Readonly<Record<string, unknown>>,
  options: Options,
): FieldGroup[] {
  const known = definitions.filter(({ type }) => kinds[type])
  const groups = Map.groupBy(known, ({ group_label }) => group_label ?? recordTexts.furtherFields)
  return [...groups].map(([title, fields]) => ({
    title,
    fields: fields.map((definition) => toRecordField(definition, values[definition.key] ?? null, options)),
  }))
}

function toRecordField(definition: CustomField, value: unknown, { locale, currency }: Options): RecordField {
  const { key, label, type } = definition
  const field: RecordField = { field: `custom.${key}`, label, value, kind: kinds[type] }
  const options = definition.options
    .filter(({ key: option, is_active }) => is_active || option === value)
    .map((option) => ({ value: option.key, label: option.label }))
  switch (type) {
    case 'boolean':
      return {
        ...field,
        options: [noValue, { value: 'true', label: recordTexts.yes }, { value: 'false', label: recordTexts.no }],
        show: (one) => (one === null ? '' : one ? recordTexts.yes : recordTexts.no),
        toValue: (text) => (text === '' ? null : text === 'true'),
      }
    case 'select':
      return { ...field, options: [noValue, ...options] }
    case 'multi_select':
      return {
        ...field,
        options,
        show: (one) =>
          listOf(one)
            .map((item) => options.find((option) => option.value === item)?.label ?? item)
            .join(', '),
        toText: (one) => listOf(one).join(','),
        toValue: (text) => (text === '' ? null : text.split(',')),
      }
    case 'url':
      return webField(field)
    case 'money':
      return moneyField(field, locale, currency)
    case 'date':
      return { ...field, show: (one) => (one ? formatDate(String(one), locale) : '') }
    case 'datetime':
      return {
        ...field,
        show: (one) => (one ? formatDateTime(String(one), locale) : ''),
        toText: (one) => (one ? toTimeInput(Date.parse(String(one))) : ''),
        toValue: (text) => (text ? fromTimeInput(text) : null),
      }
    default:
      return field
  }
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
