import type { TSchema } from 'typebox'
import { NewContact } from '../../people/contacts/contacts.schemas.ts'
import { NewLead } from '../../people/lead-records/leads.schemas.ts'
import type { CustomFieldRow } from '../../records/custom-values/field-definitions.queries.ts'
import { toPlainName } from './countries.rules.ts'
import type { ImportOptions } from './import.schemas.ts'

export type ImportedType = 'lead' | 'contact'

export type CellType =
  | 'line'
  | 'text'
  | 'lower'
  | 'word'
  | 'user'
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

const companyNames = [
  'company',
  'associatedcompany',
  'companyname',
  'companyaccount',
  'organization',
  'organisation',
  'firma',
  'unternehmen',
  'societe',
  'entreprise',
]

const aliases: Record<string, readonly string[]> = {
  first_name: ['vorname', 'prenom', 'givenname', 'forename'],
  last_name: ['nachname', 'nom', 'nomdefamille', 'surname', 'familyname'],
  name: ['fullname', 'contactname', 'leadname'],
  email: ['emailaddress', 'mail', 'workemail', 'emailadresse', 'adresseemail', 'courriel', 'emailwork', 'primaryemail'],
  phone: ['phonenumber', 'telephone', 'telefon', 'telefonnummer', 'phonework', 'mobile', 'mobilephone', 'tel'],
  title: ['jobtitle', 'position', 'role', 'fonction', 'poste'],
  company: [...companyNames, 'account', 'accountname'],
  website: ['url', 'web', 'homepage', 'companywebsite', 'websiteurl', 'webseite', 'siteweb'],
  linkedin_url: ['linkedin', 'linkedinprofile', 'linkedinprofileurl'],
  industry: ['branche', 'sector', 'secteur'],
  employee_count: ['employees', 'numberofemployees', 'noofemployees', 'companysize', 'mitarbeiter', 'effectif'],
  annual_revenue: ['revenue', 'umsatz', 'chiffredaffaires'],
  country: ['countrycode', 'countryregion', 'land', 'pays', 'cc'],
  region: ['state', 'stateregion', 'stateprovince', 'province', 'bundesland'],
  city: ['town', 'stadt', 'ort', 'ville'],
  timezone: ['tz', 'zeitzone', 'fuseauhoraire'],
  source: ['leadsource', 'originalsource', 'quelle', 'origine'],
  tags: ['labels', 'label', 'schlagworte', 'etiquettes'],
  notes: ['note', 'comment', 'comments', 'notizen', 'bemerkung', 'remarques'],
  status: ['leadstatus', 'statut'],
  lifecycle_stage: ['lifecycle', 'stage'],
  owner_id: ['owner', 'contactowner', 'leadowner', 'betreuer', 'zustandig', 'responsable', 'proprietaire'],
  email_status: ['subscription', 'subscriptionstatus', 'emailoptout', 'optout', 'unsubscribedfromallemail'],
  department: ['abteilung', 'service'],
  account_name: ['account', ...companyNames],
  account_domain: ['domain', 'companydomain', 'companydomainname'],
}

const typesByName: Record<string, CellType> = {
  email: 'line',
  notes: 'text',
  employee_count: 'number',
  annual_revenue: 'money',
  country: 'word',
  source: 'word',
  status: 'word',
  lifecycle_stage: 'word',
  disqualify_reason: 'lower',
  email_status: 'lower',
  owner_id: 'user',
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
  user: 'user',
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

export const defaultOptions: ImportOptions = {
  match_by: 'email',
  on_match: 'update_empty',
  blank_clears: false,
  multi_select: 'add',
  default_values: {},
  tags: [],
  run_assignment: false,
  start_sla: false,
  basis: 'none',
}
