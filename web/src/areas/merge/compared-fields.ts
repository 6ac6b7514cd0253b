import type { ComparedField } from '../../patterns/compare/compare-records.ts'
import { labelOfKey } from '../../patterns/label-of-key.ts'
import { mergeTexts as texts } from '../../texts/en/merge-texts.ts'
import { formatMoney, formatNumber } from '../../ui/format.ts'
import type { Contact, Lead } from './merge-queries.ts'

type Key = keyof typeof texts.fields
type TextOf<Item> = (record: Item) => string | null

function toField<Item>(key: Key, textOf: TextOf<Item>): ComparedField<Item> {
  return { key, label: texts.fields[key], textOf }
}

/** Texts as they are; an empty one is none. */
const plain =
  <Item extends object>(key: keyof Item & Key): TextOf<Item> =>
  (record) =>
    (record[key] as string | null) || null

const plainFields = <Item extends object>(keys: readonly (keyof Item & Key)[]) =>
  keys.map((key) => toField<Item>(key, plain(key)))

const countryOf = (locale: string) => {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return ({ country }: { country: string | null }) => country && (names.of(country) ?? country)
}

/** The fields of leads whose value can be chosen. */
export const leadFields = (locale: string): ComparedField<Lead>[] => [
  ...plainFields<Lead>(['first_name', 'last_name', 'email', 'phone', 'title', 'company', 'website', 'linkedin_url']),
  toField('industry', plain<Lead>('industry')),
  toField('employee_count', ({ employee_count: count }) => (count === null ? null : formatNumber(count, locale))),
  toField('annual_revenue', ({ annual_revenue: amount }) => amount && formatMoney(amount, locale)),
  ...plainFields<Lead>(['city', 'region']),
  toField('country', countryOf(locale)),
  toField('timezone', plain<Lead>('timezone')),
  toField('owner_id', ({ owner }) => owner?.name ?? null),
  toField('source', ({ source }) => labelOfKey(source)),
  toField('source_detail', plain<Lead>('source_detail')),
  toField('utm', ({ utm }) => (utm ? Object.values(utm).filter(Boolean).join(' / ') || null : null)),
  toField('notes', plain<Lead>('notes')),
]

/** The fields of contacts whose value can be chosen. */
export const contactFields = (locale: string): ComparedField<Contact>[] => [
  ...plainFields<Contact>(['first_name', 'last_name', 'email', 'phone', 'title', 'department', 'linkedin_url']),
  toField('account_id', ({ account, account_name: name }) => account?.name ?? name),
  ...plainFields<Contact>(['city', 'region']),
  toField('country', countryOf(locale)),
  toField('timezone', plain<Contact>('timezone')),
  toField('owner_id', ({ owner }) => owner?.name ?? null),
  toField('source', ({ source }) => labelOfKey(source)),
  toField('notes', plain<Contact>('notes')),
]
