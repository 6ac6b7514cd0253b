import type { TenantTx } from '#platform/db'
import type { ErasedPerson, Erasure, ErasureBatch } from '#platform/module'
import {
  eraseActivities,
  eraseMentioningActivities,
  redactMentioningActivityAudit,
  redactOwnActivityAudit,
} from './erase-activities.service.ts'
import { eraseImportFiles, eraseRowsOfImports } from './erase-imports.service.ts'
import { eraseConsentTexts, eraseContacts, eraseLeads } from './erase-records.service.ts'
import { eraseRelatedAccounts, eraseRelatedDeals } from './erase-related.service.ts'
import { eraseTextsOf } from './erase-texts.service.ts'

type PersonErasure = (tx: TenantTx, person: ErasedPerson, after?: string) => Promise<ErasureBatch>

const ofPersons = (name: string, erase: PersonErasure, options: Pick<Erasure, 'requiresSystemRole'> = {}): Erasure => ({
  name,
  ...options,
  erase: async (tx, subject, after) => ('user_id' in subject ? { counts: {} } : await erase(tx, subject, after)),
})
const withSystemRole = { requiresSystemRole: true } as const

const freeTexts = [
  { table: 'crm.opportunities', auditType: 'opportunity', columns: ['notes', 'next_step', 'lost_detail'] },
  { table: 'crm.accounts', auditType: 'account', columns: ['notes'] },
  { table: 'crm.leads', auditType: 'lead', columns: ['notes', 'source_detail'] },
  { table: 'crm.contacts', auditType: 'contact', columns: ['notes'] },
] as const

export const crmErasures: Erasure[] = [
  ofPersons('crm.activity_audit', redactOwnActivityAudit, withSystemRole),
  ofPersons('crm.deleted_activity_audit', redactMentioningActivityAudit, withSystemRole),
  ofPersons('crm.activities', eraseActivities),
  ofPersons('crm.related_activities', eraseMentioningActivities, withSystemRole),
  ofPersons('crm.deals', eraseRelatedDeals),
  ofPersons('crm.accounts', eraseRelatedAccounts),
  ...freeTexts.map((texts) => ofPersons(`${texts.table}.texts`, eraseTextsOf(texts), withSystemRole)),
  ofPersons('crm.imports', eraseImportFiles, withSystemRole),
  ofPersons('crm.import_rows', eraseRowsOfImports, withSystemRole),
  ofPersons('crm.leads', eraseLeads),
  ofPersons('crm.contacts', eraseContacts),
  ofPersons('crm.consent', eraseConsentTexts),
]
