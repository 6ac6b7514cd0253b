import type { Schemas } from '../../../api/client.ts'
import { columnTexts } from '../../../texts/en/column-texts.ts'
import type { RecordType, Transform } from './types.ts'

type FieldKind = 'text' | 'number' | 'date' | 'list' | 'choice' | 'boolean'
type Choice = { key: string; label: string }

/** A field that a column can be mapped to, under the name that the API gives it. */
export type ImportField = {
  name: string
  label: string
  group: string
  kind: FieldKind
  /** The values of a choice. Standard fields also accept words of other systems. */
  choices?: readonly Choice[]
  isCustom: boolean
  /** Whether no two records have the same value, so that it identifies them. */
  isUnique: boolean
}

type StandardField = Pick<Schemas['StandardField'], 'key' | 'label' | 'type' | 'is_writable' | 'options'>
type CustomField = Pick<Schemas['CustomField'], 'key' | 'label' | 'type' | 'options' | 'is_active' | 'is_unique'>

const kinds: Readonly<Record<string, FieldKind>> = {
  number: 'number',
  money: 'number',
  date: 'date',
  datetime: 'date',
  tags: 'list',
  multi_select: 'list',
  select: 'choice',
  boolean: 'boolean',
}

/** Fields that only a file can set, because the API derives them or has a request of its own. */
const writableByFile = ['name', 'email_status']
const ofAccount: readonly StandardField[] = ['account_name', 'account_domain'].map((key) => ({
  key,
  label: key,
  type: 'text',
  is_writable: true,
}))

const groups = {
  person: 'first_name last_name name email phone title department linkedin_url',
  company: 'company account_name account_domain account_id website industry employee_count annual_revenue',
  place: 'city region country timezone',
  work: 'owner_id status lifecycle_stage disqualify_reason email_status tags notes',
  origin: 'source source_detail utm.source utm.medium utm.campaign utm.term utm.content',
} as const
const positions = Object.entries(groups).flatMap(([group, names]) =>
  names.split(' ').map((name) => ({ group: group as keyof typeof groups, name })),
)

export function listFields(
  type: RecordType,
  standard: readonly StandardField[],
  custom: readonly CustomField[],
): ImportField[] {
  const known = type === 'contacts' ? [...standard, ...ofAccount] : standard
  const writable = known.filter(({ key, is_writable }) => is_writable || writableByFile.includes(key))
  const positionOf = (key: string) =>
    (positions.findIndex(({ name }) => name === key) + positions.length) % positions.length
  const ordered = writable.toSorted((one, other) => positionOf(one.key) - positionOf(other.key))
  return [
    ...ordered.map((field) => toStandardField(field)),
    ...custom
      .filter(({ is_active }) => is_active)
      .map(
        ({ key, label, type: customType, options, is_unique }): ImportField => ({
          name: `custom.${key}`,
          label,
          group: columnTexts.groups.custom,
          kind: kinds[customType] ?? 'text',
          ...(options.length > 0 && { choices: options.filter(({ is_active }) => is_active) }),
          isCustom: true,
          isUnique: is_unique,
        }),
      ),
  ]
}

function toStandardField({ key, label, type, options }: StandardField): ImportField {
  const group = positions.find(({ name }) => name === key)?.group ?? 'work'
  return {
    name: key,
    label: (columnTexts.labels as Record<string, string>)[key] ?? label,
    group: columnTexts.groups[group],
    kind: kinds[type] ?? 'text',
    ...(options && { choices: options.map((option) => ({ key: option, label: option })) }),
    isCustom: false,
    isUnique: false,
  }
}

export const findField = (fields: readonly ImportField[], name: string | null): ImportField | undefined =>
  name === null ? undefined : fields.find((field) => field.name === name)

const transformsOfKind: Readonly<Record<FieldKind, readonly Transform[]>> = {
  text: ['none', 'lower'],
  number: ['none', 'number:eu'],
  date: ['none', 'date:dmy', 'date:mdy'],
  list: ['split:;', 'split:,', 'none'],
  choice: [],
  boolean: [],
}

/** The ways to change values of a field while they are read. The first is the one without a transform. */
export const transformsOf = ({ kind }: ImportField): readonly Transform[] => transformsOfKind[kind]
