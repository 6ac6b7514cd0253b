import type { TSchema } from 'typebox'
import { NewContact } from '../contacts/contacts.schemas.ts'
import type { CustomFieldRow } from '../custom-values/field-definitions.queries.ts'
import { NewLead } from '../lead-records/leads.schemas.ts'

export type ImportedType = 'lead' | 'contact'

export type CellType =
  | 'line'
  | 'text'
  | 'lower'
  | 'upper'
  | 'number'
  | 'money'
  | 'date'
  | 'datetime'
  | 'boolean'
  | 'option'
  | 'list'
  | 'options'

/** A field that a column of a file can be mapped to. `utm.source` and `custom.tier` are keys of an object. */
export type ImportField = {
  name: string
  type: CellType
  schema?: TSchema
  custom?: Pick<CustomFieldRow, 'key' | 'type' | 'options' | 'validation'>
  /** Other names of a column with this field, in letters and digits. */
  aliases: readonly string[]
}

const aliases: Record<string, readonly string[]> = {
  first_name: ['vorname', 'prenom', 'givenname', 'forename'],
  last_name: ['nachname', 'nom', 'surname', 'familyname'],
  name: ['fullname', 'contactname', 'leadname'],
  email: ['emailaddress', 'mail', 'workemail', 'emailadresse'],
  phone: ['phonenumber', 'telephone', 'telefon', 'mobile', 'mobilephone', 'tel'],
  title: ['jobtitle', 'position', 'role'],
  company: ['companyname', 'organization', 'organisation', 'firma', 'account', 'accountname'],
  website: ['url', 'web', 'homepage', 'companywebsite'],
  linkedin_url: ['linkedin', 'linkedinprofile', 'linkedinprofileurl'],
  industry: ['branche', 'sector'],
  employee_count: ['employees', 'numberofemployees', 'companysize'],
  annual_revenue: ['revenue', 'umsatz'],
  country: ['countrycode', 'land'],
  region: ['state', 'province', 'bundesland'],
  city: ['town', 'stadt', 'ort'],
  timezone: ['tz'],
  source: ['leadsource'],
  tags: ['labels'],
  notes: ['note', 'comment', 'comments', 'notizen'],
  status: ['leadstatus'],
  lifecycle_stage: ['lifecycle', 'stage'],
  owner_id: ['owner'],
  email_status: ['subscription', 'subscriptionstatus'],
  department: ['abteilung'],
  account_name: ['account', 'company', 'companyname', 'organization', 'organisation', 'firma'],
  account_domain: ['domain', 'companydomain'],
}

const typesByName: Record<string, CellType> = {
  email: 'line',
  notes: 'text',
  employee_count: 'number',
  annual_revenue: 'money',
  country: 'upper',
  source: 'lower',
  status: 'lower',
  lifecycle_stage: 'lower',
  disqualify_reason: 'lower',
  email_status: 'lower',
  owner_id: 'lower',
  account_id: 'lower',
  account_domain: 'lower',
  tags: 'list',
}

type Schemas = Readonly<Record<string, TSchema>>
const emailStatus = { type: 'string', enum: ['unknown', 'subscribed', 'unsubscribed', 'bounced', 'complained'] }
const line = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })

function standardFields(schemas: Schemas, others: Schemas): ImportField[] {
  const { utm, custom: _, ...plain } = schemas
  const keys = ['source', 'medium', 'campaign', 'term', 'content']
  const all: Schemas = {
    ...plain,
    ...(utm && Object.fromEntries(keys.map((key) => [`utm.${key}`, line(200)]))),
    name: line(200),
    email_status: emailStatus,
    ...others,
  }
  return Object.entries(all).map(([name, schema]) => ({
    name,
    schema,
    type: typesByName[name] ?? 'line',
    aliases: aliases[name] ?? [],
  }))
}

const fieldsOfType: Record<ImportedType, ImportField[]> = {
  lead: standardFields(NewLead.properties, {}),
  contact: standardFields(NewContact.properties, { account_name: line(200), account_domain: line(253) }),
}

const cellTypes: Record<CustomFieldRow['type'], CellType> = {
  text: 'line',
  long_text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  select: 'option',
  multi_select: 'options',
  url: 'line',
  email: 'line',
  phone: 'line',
  money: 'money',
  user: 'lower',
}

type KnownField = Pick<CustomFieldRow, 'key' | 'label' | 'type' | 'options' | 'validation' | 'is_active' | 'deleted_at'>

export function listImportFields(objectType: ImportedType, customFields: readonly KnownField[]): ImportField[] {
  const custom = customFields
    .filter(({ is_active, deleted_at }) => is_active && deleted_at === null)
    .map(
      (field): ImportField => ({
        name: `custom.${field.key}`,
        type: cellTypes[field.type],
        custom: field,
        aliases: [toPlainName(field.key), toPlainName(field.label)],
      }),
    )
  return [...fieldsOfType[objectType], ...custom]
}

/** Compares names of columns without case, spaces, punctuation and accents. */
export const toPlainName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
