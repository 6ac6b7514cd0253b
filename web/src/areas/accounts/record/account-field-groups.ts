import type { RecordField } from '../../../patterns/record/field-list.tsx'
import { countryField, type FieldGroup, noValue, webField } from '../../../patterns/record/fields/record-fields.ts'
import { moneyField } from '../../../patterns/record/money-field.ts'
import { accountListTexts } from '../../../texts/en/account-list-texts.ts'
import { accountTexts } from '../../../texts/en/account-texts.ts'
import type { Option } from '../../../ui/field.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import type { Account } from '../account-queries.ts'
import { accountTypes } from '../account-types.ts'
import { readAccountValue } from './account-values.ts'

/** Values that are ids, with the name that is shown and the dialog that asks for another one. */
export type Chosen = { nameOf: (id: unknown) => string; choose: () => void }

type GroupOptions = {
  locale: string
  currency: string
  timeZones: readonly Option[]
  owner: Chosen
  parent: Chosen
}

const texts = accountTexts.fields
const typeOptions = accountTypes.map((value) => ({ value, label: accountListTexts.types[value] }))

/** The standard fields of an account, in the order of the details. */
export function standardGroups(account: Account, options: GroupOptions): FieldGroup[] {
  const { locale, currency, timeZones, owner, parent } = options
  const field = (name: keyof typeof texts, others: Partial<RecordField> = {}): RecordField => ({
    field: name,
    label: texts[name],
    value: readAccountValue(account, name),
    ...others,
  })
  const date = (name: 'created_at' | 'last_activity_at') =>
    field(name, { isReadOnly: true, show: (value) => (value ? formatDateTime(String(value), locale) : '') })
  return [
    {
      title: accountTexts.groups.account,
      fields: [
        field('name'),
        field('type', { kind: 'select', options: typeOptions }),
        field('domain'),
        webField(field('website')),
        field('industry'),
        field('employee_count', { kind: 'number' }),
        moneyField(field('annual_revenue'), locale, currency),
        field('phone', { kind: 'tel' }),
        field('timezone', { kind: 'select', options: [noValue, ...timeZones] }),
        field('parent_account_id', { show: parent.nameOf, edit: parent.choose }),
        field('owner_id', { show: owner.nameOf, edit: owner.choose }),
        date('created_at'),
        date('last_activity_at'),
      ],
    },
    {
      title: accountTexts.groups.address,
      fields: [
        field('address.line1'),
        field('address.line2'),
        field('address.postal_code'),
        field('address.city'),
        field('address.region'),
        countryField(field('address.country'), locale),
      ],
    },
    { title: accountTexts.groups.notes, fields: [field('notes', { kind: 'multiline' })] },
  ]
}
