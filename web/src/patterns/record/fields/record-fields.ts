import { toWebUrl } from '../../contact-links/contact-links.ts'
import type { RecordField } from '../field-list.tsx'
import { listCountries } from './countries.ts'

export const noValue = { value: '', label: '–' }

export type FieldGroup = { title: string; fields: RecordField[] }

export const webField = (field: RecordField): RecordField => ({
  ...field,
  kind: 'url',
  toUrl: (value) => toWebUrl(typeof value === 'string' ? value : null),
})

export function countryField(field: RecordField, locale: string): RecordField {
  const options = listCountries(locale, field.value)
  return { ...field, kind: 'select', options: [noValue, ...options] }
}
