import { definePersonErasure, type Erasure } from '#platform/module'
import {
  eraseActivities,
  eraseMentioningActivities,
  redactMentioningActivityAudit,
  redactOwnActivityAudit,
} from './erase-activities.service.ts'
import { eraseConsentTexts, eraseContacts, eraseLeads } from './erase-records.service.ts'
import { eraseRelatedAccounts, eraseRelatedDeals } from './erase-related.service.ts'
import { eraseTextsOf } from './erase-texts.service.ts'

const withSystemRole = { requiresSystemRole: true } as const

const freeTexts = [
  { table: 'crm.opportunities', auditType: 'opportunity', columns: ['notes', 'next_step', 'lost_detail'] },
  { table: 'crm.accounts', auditType: 'account', columns: ['notes'] },
  { table: 'crm.leads', auditType: 'lead', columns: ['notes', 'source_detail'] },
  { table: 'crm.contacts', auditType: 'contact', columns: ['notes'] },
] as const

/** Everything that mentions persons beside their own records. */
export const mentionErasures: Erasure[] = [
  definePersonErasure('crm.activity_audit', redactOwnActivityAudit, withSystemRole),
  definePersonErasure('crm.deleted_activity_audit', redactMentioningActivityAudit, withSystemRole),
  definePersonErasure('crm.activities', eraseActivities),
  definePersonErasure('crm.related_activities', eraseMentioningActivities, withSystemRole),
  definePersonErasure('crm.deals', eraseRelatedDeals),
  definePersonErasure('crm.accounts', eraseRelatedAccounts),
  ...freeTexts.map((texts) => definePersonErasure(`${texts.table}.texts`, eraseTextsOf(texts), withSystemRole)),
]

export const personErasures: Erasure[] = [
  definePersonErasure('crm.leads', eraseLeads),
  definePersonErasure('crm.contacts', eraseContacts),
  definePersonErasure('crm.consent', eraseConsentTexts),
]
