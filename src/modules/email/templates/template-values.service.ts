import type { CustomValues } from '#modules/crm'
import { type CustomFieldRow, listFieldsOf } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { type TemplateValues, toValueText } from './template.rules.ts'
import { listContactValues, listLeadValues, type PersonValues } from './template-values.queries.ts'
import { type DescribedVariable, describeVariable } from './template-variables.rules.ts'

/** Internal fields such as notes, scores and owners are left out on purpose: recipients read these texts. */
const standardVariables = [
  'first_name',
  'last_name',
  'name',
  'title',
  'email',
  'phone',
  'linkedin_url',
  'country',
  'region',
  'city',
  'company',
  'company_domain',
  'website',
  'industry',
  'employee_count',
  'department',
]
const otherVariables = ['account.name', 'sender.name', 'sender.title', 'sender.signature', 'unsubscribe_url']

export async function readTemplateVariables(tx: TenantTx): Promise<ReadonlySet<string>> {
  return new Set((await listTemplateVariables(tx)).map(({ key }) => key))
}

/** A custom field that leads and contacts have is listed once, with its label of leads. */
export async function listTemplateVariables(tx: TenantTx): Promise<DescribedVariable[]> {
  const fields = [...(await listOfferedFields(tx, 'contact')), ...(await listOfferedFields(tx, 'lead'))]
  const custom = new Map(fields.map(({ key, label }) => [`custom.${key}`, label]))
  return [
    ...[...standardVariables, ...otherVariables].map(describeVariable),
    ...[...custom].map(([key, label]) => ({ key, label, group: 'custom' as const })),
  ]
}

async function listOfferedFields(tx: TenantTx, objectType: 'lead' | 'contact'): Promise<CustomFieldRow[]> {
  const fields = await listFieldsOf(tx, objectType)
  return fields.filter(({ type, is_active, deleted_at }) => type !== 'user' && is_active && deleted_at === null)
}

type PersonIds = { leadIds: readonly string[]; contactIds: readonly string[] }

/** Reads the values of leads and contacts by id. The caller adds those of the sender and the unsubscribe link. */
export async function readTemplateValues(
  tx: TenantTx,
  { leadIds, contactIds }: PersonIds,
): Promise<Map<string, TemplateValues>> {
  const leads = await listLeadValues(tx, leadIds)
  const contacts = await listContactValues(tx, contactIds)
  const leadFields = leads.length ? await listOfferedFields(tx, 'lead') : []
  const contactFields = contacts.length ? await listOfferedFields(tx, 'contact') : []
  return new Map([
    ...leads.map((lead) => [lead.id, toTemplateValues(lead, leadFields)] as const),
    ...contacts.map((contact) => [contact.id, toTemplateValues(contact, contactFields)] as const),
  ])
}

function toTemplateValues(person: PersonValues, fields: readonly CustomFieldRow[]): TemplateValues {
  const custom = person.custom as CustomValues
  return {
    ...Object.fromEntries(standardVariables.map((name) => [name, toValueText(person[name])])),
    'account.name': toValueText(person.account_name),
    ...Object.fromEntries(fields.map((field) => [`custom.${field.key}`, toValueText(custom[field.key], field)])),
  }
}
