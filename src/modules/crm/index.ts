export { crm } from './crm.module.ts'
export {
  countClosedDeals,
  type DealOutcome,
  type DealSegment,
  listChangedDeals,
  listDealOutcomes,
  listDealSegments,
} from './deals/opportunities/deal-outcomes.queries.ts'
export { type ListRecordsWithSentEmails, sentEmailsPoint } from './exchange/import-records/sent-emails.ts'
export { type ImportTarget, importTargetPoint } from './exchange/imports/import-target.ts'
export { fieldUsePoint } from './lookup/custom-fields/field-use.ts'
export {
  acceptValue,
  applyEnrichedValues,
  confirmEnrichedValues,
  type EnrichedValue,
} from './lookup/enriched-values/apply-enriched-values.service.ts'
export { enrichableFields, enrichableTypes, isDerivedField } from './lookup/enriched-values/enrichable-fields.ts'
export { normalizeEnrichedValue } from './lookup/enriched-values/enriched-values.rules.ts'
export {
  type FieldFact,
  getRecordFacts,
  type LookupInput,
  lockRecordFacts,
  type RecordFacts,
  type RecordRef,
} from './lookup/enriched-values/record-facts.service.ts'
export {
  type DealPersons,
  findDealCampaignId,
  findDealCards,
  listDealIdsOfPersons,
  listDealPersons,
  listOpenDealIds,
} from './lookup/persons/deal-persons.queries.ts'
export {
  type EnrollablePerson,
  listEnrollablePersons,
  selectPersonKeys,
} from './lookup/persons/enrollable-persons.queries.ts'
export { lockPersons, lockPersonsOfContacts, type Person } from './lookup/persons/lock-persons.service.ts'
export {
  listOutreachPersons,
  matchesPersonSearch,
  searchPersons,
} from './lookup/persons/person-search.queries.ts'
export {
  type EmailRecipient,
  findContactCards,
  findLeadCards,
  listEmailRecipients,
  listLeadMilestones,
  listLeadUtmCampaigns,
} from './lookup/persons/persons.queries.ts'
export {
  countMatchingRecords,
  listExistingIds,
  listMatchingIds,
  selectMatchingIds,
  selectNewestIds,
} from './lookup/record-rules/matching-records.queries.ts'
export { parseRecordRule, type RecordRule, readRuleContext } from './lookup/record-rules/parse-record-rule.service.ts'
export { listRecordValues } from './lookup/record-rules/record-values.service.ts'
export { RuleCatalogue } from './lookup/record-rules/rule-catalogue.schemas.ts'
export { fieldsOf, getRuleCatalogue } from './lookup/record-rules/rule-catalogue.service.ts'
export { listRecordLabels } from './lookup/record-summaries/record-summaries.queries.ts'
export { listRecordSummaries } from './lookup/record-summaries/record-summaries.service.ts'
export { findAccountIdsByDomains } from './people/accounts/account-matches.queries.ts'
export { listAccountDomains } from './people/accounts/accounts.queries.ts'
export { ListedAccount } from './people/accounts/accounts.schemas.ts'
export { subjectKeyName } from './people/consent/find-consent.service.ts'
export {
  type ContactPermission,
  filterOptedOut,
  findContactPermissions,
  mayContact,
} from './people/consent/may-contact.service.ts'
export { recordOptIn } from './people/consent/record-opt-in.service.ts'
export { recordOptOut } from './people/consent/record-opt-out.service.ts'
export { Contact } from './people/contacts/contacts.schemas.ts'
export { getLead } from './people/lead-records/leads.queries.ts'
export { Lead, ListedLead } from './people/lead-records/leads.schemas.ts'
export { createLead, createLeads } from './people/leads/create-leads.service.ts'
export { findPersonByEmail, findPersonsByEmails } from './people/leads/find-persons.service.ts'
export { getLeadDetails } from './people/leads/lead-details.service.ts'
export { setScoreComponent } from './people/scoring/rescore-leads.service.ts'
export { repeatErasures } from './privacy/erasure/request-erasure.service.ts'
export type { CustomValues } from './records/custom-values/custom-values.schemas.ts'
export {
  type CustomFieldRow,
  listFieldsOf,
  lockCustomFieldsShared,
} from './records/custom-values/field-definitions.queries.ts'
export { hasAnyTag, replaceTags } from './records/fields/tags.queries.ts'
export { companyLabelOf, emailKindOf, isInternetDomain, phoneCountryOf } from './records/person-keys/person-keys.ts'
export {
  findAccountNames,
  findContactNames,
  findContactReferences,
  findOpportunityReferences,
} from './records/references/record-names.queries.ts'
export { readCrmSettings } from './records/settings/crm-settings.queries.ts'
export { toBaseMinor } from './records/settings/crm-settings.service.ts'
export { refreshSampleScores } from './sample-data/create-sample.service.ts'
export { sampleLeadKeys } from './sample-data/crm-sample.ts'
export { listActivityIds } from './work/activities/activities.queries.ts'
export { logActivity } from './work/activities/log-activity.service.ts'
export { logEmails } from './work/activities/log-emails.service.ts'
export { logSignals, type PersonSignal } from './work/activities/log-signals.service.ts'
export {
  listActivitiesById,
  listHeldMeetings,
  type PersonActivity,
} from './work/activities/person-activities.queries.ts'
export { listTaskStates } from './work/activities/tasks.queries.ts'
export { completeTasks, createTasks, type NewTask, reassignTasks } from './work/activities/tasks.service.ts'
export { requiredParam } from './work/bulk/bulk.rules.ts'
export { type BulkAction, type RecordResult, withApplyToAll } from './work/bulk/bulk-action.ts'
export { contactBulkActionPoint } from './work/contact-bulk/contact-bulk-kind.ts'
export { leadBulkActionPoint } from './work/lead-bulk/lead-bulk-kind.ts'
export { endedEnrollmentsPoint } from './work/merge/ended-enrollments.ts'
