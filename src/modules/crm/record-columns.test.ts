// Lists of columns in which the compiler does not notice that a new column of a record is missing.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { FieldCatalogue } from '#platform/rules'
import { crmTables } from './crm.tables.ts'
import { opportunityFields } from './deals/opportunities/opportunity-fields.ts'
import { type FileObjectType, listColumns } from './exchange/record-columns/record-columns.rules.ts'
import { contactFields } from './people/contacts/contact-values.ts'
import type { ContactRow } from './people/contacts/contacts.queries.ts'
import { deriveMergedContact } from './people/contacts/merge-contacts.rules.ts'
import { leadFields } from './people/lead-records/lead-fields.ts'
import type { LeadRow } from './people/lead-records/leads.queries.ts'
import { accountFields } from './records/fields/account-fields.ts'
import { mergeLeadValues } from './work/merge/merge.rules.ts'
import { restorableColumns } from './work/merge/undo-lead-merge.service.ts'

type Table = 'leads' | 'contacts' | 'accounts' | 'opportunities'
/** The file of a list, its columns, and the columns that it leaves out, by reason. */
type List = { file: string; columns: readonly string[]; without: Readonly<Record<string, string>> }

const readFile = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
const databaseTypes = readFile('../../platform/db/database.ts')

function columnsOf(table: Table): string[] {
  const name = `Crm${table[0]!.toUpperCase()}${table.slice(1)}`
  const [, body = ''] = new RegExp(`export interface ${name} \\{\\n([^}]*)\\}`).exec(databaseTypes) ?? []
  return [...body.matchAll(/^ {2}(\w+):/gm)].map(([, column]) => column!)
}

const ofRules = (catalogue: FieldCatalogue) =>
  Object.values(catalogue).flatMap(({ joinAlias, column }) => (joinAlias === undefined ? [column] : []))

const ofFiles = (type: FileObjectType) => listColumns(type, []).map((column) => column.split('.')[0]!)

const ofErasure = (file: string) =>
  [.../ set ([\s\S]*?)\n\s*from \(/.exec(readFile(file))![1]!.matchAll(/(\w+) = /g)].map(([, column]) => column!)

/** The columns whose changes count the version, in the newest migration that says so. */
function ofVersion(table: Table): string[] {
  const folder = join(import.meta.dirname, '../../../migrations')
  const pattern = new RegExp(`trigger count_version before update of ([\\w\\s,]+?)\\s+on crm\\.${table}\\b`, 'g')
  const found = globSync('*_crm_*', { cwd: folder })
    .sort()
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(pattern)])
  return found.at(-1)![1]!.split(/,\s*/)
}

const instant = new Date(0)
const empty = { tags: [], custom: {}, created_at: instant, updated_at: instant } as unknown
const ofMerge = {
  leads: Object.keys(mergeLeadValues(empty as LeadRow, [], {})),
  contacts: Object.keys(deriveMergedContact(empty as ContactRow, [], {})),
}

const system = 'tenant_id version created_by deleted_at deleted_by'
const bookkeeping = `id ${system} created_at updated_at`
const unversioned = 'id tenant_id version created_by deleted_by created_at updated_at'
const revenue = 'annual_revenue_minor annual_revenue_currency annual_revenue_base_minor'
const consent = 'email_status call_status processing_restricted'
const texts = 'name_key search_text custom_text'
const stages = 'lifecycle_stage mql_at sql_at opportunity_at customer_at'
const conversion = 'converted_at converted_by converted_account_id converted_contact_id converted_opportunity_id'
const scores = 'score fit_score engagement_score grade score_reasons score_version scored_at'
const response = 'sla_due_at sla_breached_at first_responded_at first_responder_id response_ms'
const activity = 'last_activity_at last_engaged_at'
const place = 'country region timezone'

const ofLeadMerge = {
  'of the surviving record': `${bookkeeping} import_id merged_into_id`,
  'calculated from merged columns': `name email_key email_kind phone_e164 company_key company_domain ${texts}`,
  'calculated again after the merge': `${scores} priority_rank created_on`,
  'of the surviving lead': `status disqualify_reason ${conversion} sla_due_at sla_breached_at response_ms`,
}
const leadBusiness = {
  'of the workspace': `${bookkeeping} import_id merged_into_id owner_id assigned_at source tags created_on priority_rank`,
  'of the process': `status disqualify_reason ${stages} ${conversion} ${scores} ${response} ${activity}`,
  'does not identify a person': `industry employee_count ${revenue} ${place} email_kind`,
  'generated from other columns': 'name email_key',
}
const contactBusiness = {
  'of the workspace': `${bookkeeping} import_id merged_into_id owner_id source tags lead_id`,
  'of the process': `${stages} former_customer_at ${activity}`,
  'of the account': 'account_id account_name',
  'does not identify a person': place,
  'generated from other columns': 'name email_key',
}
const customFields = { 'fields of the workspace have their own columns': 'custom' }

const lists: Record<Table, Record<string, List>> = {
  leads: {
    'the fields of rules and filters': {
      file: 'src/modules/crm/people/lead-records/lead-fields.ts',
      columns: ofRules(leadFields),
      without: {
        ...customFields,
        'not shown': `id ${system} ${texts} email_key company_key created_on priority_rank phone_e164`,
        'rules compare the base currency': 'annual_revenue_minor annual_revenue_currency',
        'details of other fields': 'score_reasons score_version scored_at response_ms first_responder_id',
        'references to records': `${conversion.replace('converted_at ', '')} import_id merged_into_id`,
      },
    },
    'the columns of files': {
      file: 'src/modules/crm/exchange/record-columns/record-columns.rules.ts',
      columns: ofFiles('lead'),
      without: {
        ...customFields,
        'in the column annual_revenue': revenue,
        'not shown': `${system} ${texts} email_key company_key created_on priority_rank`,
        'details of other fields':
          'score_reasons score_version scored_at sla_breached_at response_ms first_responder_id',
        'references to records': `${conversion.replace('converted_at ', '')} merged_into_id`,
      },
    },
    'the merge': {
      file: 'src/modules/crm/work/merge/merge.rules.ts',
      columns: ofMerge.leads,
      without: { ...ofLeadMerge, 'the strictest consent wins': consent },
    },
    'the undo of a merge': {
      file: 'src/modules/crm/work/merge/undo-lead-merge.service.ts',
      columns: restorableColumns,
      without: {
        ...ofLeadMerge,
        'of the address': 'email_status call_status',
        'responses and activities stay': `first_responded_at first_responder_id ${activity}`,
      },
    },
    'the erasure': {
      file: 'src/modules/crm/privacy/erasure/erase-leads.queries.ts',
      columns: ofErasure('privacy/erasure/erase-leads.queries.ts'),
      without: leadBusiness,
    },
    '`personal`': {
      file: 'src/modules/crm/crm.tables.ts',
      columns: crmTables['crm.leads']!.personal!,
      without: { ...leadBusiness, 'of the company': 'company company_key company_domain', 'of the address': consent },
    },
    'the trigger count_version': {
      file: 'a new migration',
      columns: ofVersion('leads'),
      without: {
        'not changed by users': `${unversioned} created_on import_id priority_rank`,
        'calculated from versioned columns': `name email_key email_kind phone_e164 company_key company_domain ${texts}`,
        'of the process': `${stages} ${conversion} ${scores} ${response} ${activity} assigned_at annual_revenue_base_minor`,
      },
    },
  },
  contacts: {
    'the fields of rules and filters': {
      file: 'src/modules/crm/people/contacts/contact-values.ts',
      columns: ofRules(contactFields),
      without: {
        ...customFields,
        'not shown': `id ${system} ${texts} email_key phone_e164`,
        'a field of the account': 'account_name',
        'references to records': 'import_id lead_id merged_into_id',
      },
    },
    'the columns of files': {
      file: 'src/modules/crm/exchange/record-columns/record-columns.rules.ts',
      columns: ofFiles('contact'),
      without: { ...customFields, 'not shown': `${system} ${texts} email_key merged_into_id` },
    },
    'the merge': {
      file: 'src/modules/crm/people/contacts/merge-contacts.rules.ts',
      columns: ofMerge.contacts,
      without: {
        'of the surviving record': `${bookkeeping} import_id merged_into_id`,
        'calculated from merged columns': `name email_key phone_e164 account_name ${texts}`,
        'the strictest consent wins': consent,
      },
    },
    'the erasure': {
      file: 'src/modules/crm/privacy/erasure/erase-contacts.queries.ts',
      columns: ofErasure('privacy/erasure/erase-contacts.queries.ts'),
      without: contactBusiness,
    },
    '`personal`': {
      file: 'src/modules/crm/crm.tables.ts',
      columns: crmTables['crm.contacts']!.personal!,
      without: { ...contactBusiness, 'of the address': consent },
    },
    'the trigger count_version': {
      file: 'a new migration',
      columns: ofVersion('contacts'),
      without: {
        'not changed by users': `${unversioned} import_id lead_id`,
        'calculated from versioned columns': `name email_key phone_e164 account_name ${texts}`,
        'of the process': `mql_at sql_at opportunity_at customer_at former_customer_at ${activity}`,
      },
    },
  },
  accounts: {
    'the fields of rules and filters': {
      file: 'src/modules/crm/records/fields/account-fields.ts',
      columns: ofRules(accountFields),
      without: {
        ...customFields,
        'not shown': `id ${system} ${texts}`,
        'rules compare the base currency': 'annual_revenue_minor annual_revenue_currency',
      },
    },
    'the columns of files': {
      file: 'src/modules/crm/exchange/record-columns/record-columns.rules.ts',
      columns: ofFiles('account'),
      without: { ...customFields, 'in the column annual_revenue': revenue, 'not shown': `${system} ${texts}` },
    },
    '`personal`': {
      file: 'src/modules/crm/crm.tables.ts',
      columns: crmTables['crm.accounts']!.personal!,
      without: {
        'of the workspace': `${bookkeeping} owner_id tags last_activity_at parent_account_id type`,
        'of a company': `name domain website industry employee_count ${revenue} address timezone custom ${texts}`,
      },
    },
    'the trigger count_version': {
      file: 'a new migration',
      columns: ofVersion('accounts'),
      without: {
        'not changed by users': `${unversioned} last_activity_at`,
        'calculated from versioned columns': `annual_revenue_base_minor ${texts}`,
      },
    },
  },
  opportunities: {
    'the fields of rules and filters': {
      file: 'src/modules/crm/deals/opportunities/opportunity-fields.ts',
      columns: ofRules(opportunityFields),
      without: {
        ...customFields,
        'not shown': `id ${system} ${texts} probability_basis probability_overridden`,
        'rules compare the base currency': 'amount_minor amount_currency',
        'fields of the lead': 'lead_created_on lead_owner_id lead_source',
      },
    },
    '`personal`': {
      file: 'src/modules/crm/crm.tables.ts',
      columns: crmTables['crm.opportunities']!.personal!,
      without: {
        'of the workspace': `${bookkeeping} owner_id tags source campaign_id ${texts} custom name`,
        'of the deal':
          'account_id primary_contact_id pipeline_id stage_key kind close_on closed_at stage_entered_at next_step',
        'amounts and forecast':
          'amount_minor amount_currency amount_base_minor forecast_category probability_basis probability_overridden',
        'history of the deal':
          'lost_reason lost_detail last_activity_at lead_id lead_created_on lead_owner_id lead_source',
      },
    },
    'the trigger count_version': {
      file: 'a new migration',
      columns: ofVersion('opportunities'),
      without: {
        'not changed by users': `${unversioned} last_activity_at lead_id lead_created_on lead_owner_id lead_source`,
        'calculated from versioned columns': `amount_base_minor closed_at stage_entered_at ${texts}`,
      },
    },
  },
}

function findProblems(table: Table, all = columnsOf(table)): string[] {
  return Object.entries(lists[table]).flatMap(([list, { file, columns, without }]) => {
    const left = new Set(Object.values(without).flatMap((names) => names.split(' ')))
    const missing = all.filter((column) => !columns.includes(column) && !left.has(column))
    const outdated = [...left].filter((column) => columns.includes(column) || !all.includes(column))
    const reasons = `the reasons of ${list} in src/modules/crm/record-columns.test.ts`
    return [
      ...missing.map((column) => `crm.${table}.${column}: add it to ${list} in ${file}, or to ${reasons}`),
      ...outdated.map((column) => `crm.${table}.${column}: remove it from ${reasons}`),
    ]
  })
}

for (const table of ['leads', 'contacts', 'accounts', 'opportunities'] as const)
  test(`every column of ${table} is in the lists of the table or left out for a reason`, () => {
    assert.deepEqual(findProblems(table), [])
  })

test('a new column is reported with every list and its file', () => {
  const problems = findProblems('contacts', [...columnsOf('contacts'), 'new_column'])

  assert.deepEqual(
    problems.flatMap((problem) => /^crm\.contacts\.new_column: add it to .* in (.*), or/.exec(problem)?.[1] ?? []),
    Object.values(lists.contacts).map(({ file }) => file),
  )
})

test('an erased text column also decides whether a record is erased', () => {
  for (const file of ['privacy/erasure/erase-leads.queries.ts', 'privacy/erasure/erase-contacts.queries.ts']) {
    const cleared = [...readFile(file).matchAll(/(\w+) = null/g)].map(([, column]) => column!)
    const [, checked = ''] = /num_nonnulls\(([^)]+)\)/.exec(readFile(file)) ?? []

    assert.deepEqual(cleared.filter((column) => column !== 'reason').sort(), checked.split(', ').sort(), file)
  }
})
