import type { Schemas } from '../../api/client.ts'
import { columnTexts } from '../../texts/en/column-texts.ts'

export type ExportType = 'leads' | 'contacts' | 'accounts'
export type ExportColumn = { key: string; label: string; group: string }
type Group = Exclude<keyof typeof columnTexts.groups, 'custom'>
type CustomField = Pick<Schemas['CustomField'], 'key' | 'label'>

const person = 'first_name last_name name email phone phone_e164 title linkedin_url'
const lifecycle = 'last_activity_at last_engaged_at mql_at sql_at opportunity_at customer_at'

/** The standard columns of a file, in the groups that the dialog shows. */
export const standardColumns: Readonly<Record<ExportType, Partial<Record<Group, string>>>> = {
  leads: {
    person: `${person} email_kind`,
    company: 'company company_domain website industry employee_count annual_revenue',
    place: 'city region country timezone',
    work: 'owner_name owner_id status lifecycle_stage disqualify_reason tags notes',
    rating: 'score fit_score engagement_score grade',
    consent: 'email_status call_status processing_restricted',
    origin: 'source source_detail utm.source utm.medium utm.campaign utm.term utm.content',
    dates: `created_at updated_at assigned_at first_responded_at sla_due_at ${lifecycle} converted_at`,
    links: 'id import_id',
  },
  contacts: {
    person: `${person} department`,
    company: 'account_name account_domain account_id',
    place: 'city region country timezone',
    work: 'owner_name owner_id lifecycle_stage tags notes',
    consent: 'email_status call_status processing_restricted',
    origin: 'source',
    dates: `created_at updated_at ${lifecycle} former_customer_at`,
    links: 'id lead_id import_id',
  },
  accounts: {
    company: 'name domain website type industry employee_count annual_revenue phone timezone',
    address: 'address.line1 address.line2 address.city address.region address.postal_code address.country',
    work: 'owner_name owner_id tags notes',
    dates: 'created_at updated_at last_activity_at',
    links: 'id parent_account_id',
  },
}

const labels: Readonly<Record<string, string>> = columnTexts.labels

export function listExportColumns(type: ExportType, custom: readonly CustomField[]): ExportColumn[] {
  const standard = Object.entries(standardColumns[type]).flatMap(([group, keys]) =>
    keys.split(' ').map((key) => ({ key, label: labels[key] ?? key, group: columnTexts.groups[group as Group] })),
  )
  return [
    ...standard,
    ...custom.map(({ key, label }) => ({ key: `custom.${key}`, label, group: columnTexts.groups.custom })),
  ]
}

/** Columns of a list that have another name in files. */
const columnsOfFile: Readonly<Record<string, string>> = {
  response: 'sla_due_at',
  activity: 'last_activity_at',
  owner: 'owner_name',
  stage: 'lifecycle_stage',
  account: 'account_name',
  employees: 'employee_count',
  created: 'created_at',
}

/** The columns of the file for those that a list shows. */
export function columnsOfList(shown: readonly string[], offered: readonly ExportColumn[]): string[] {
  const keys = shown.map((key) => columnsOfFile[key] ?? key)
  return keys.filter((key, at) => keys.indexOf(key) === at && offered.some((column) => column.key === key))
}
