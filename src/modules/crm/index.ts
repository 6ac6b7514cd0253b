export { findAccountIdsByDomains } from './accounts/account-matches.queries.ts'
export { listAccountDomains } from './accounts/accounts.queries.ts'
export { ListedAccount } from './accounts/accounts.schemas.ts'
export { listActivityIds } from './activities/activities.queries.ts'
export { logActivity } from './activities/log-activity.service.ts'
export { type LoggedEmail, logEmails } from './activities/log-emails.service.ts'
export { logSignals, type PersonSignal } from './activities/log-signals.service.ts'
export { listActivitiesById, listHeldMeetings, type PersonActivity } from './activities/person-activities.queries.ts'
export { listTaskStates } from './activities/tasks.queries.ts'
export { completeTasks, createTasks, type NewTask, reassignTasks } from './activities/tasks.service.ts'
export { type LeadBulkAction, type LeadResult, leadBulkActionPoint, withApplyToAll } from './bulk/bulk-action.ts'
export { requiredParam } from './bulk/bulk-params.rules.ts'
export { type ContactPermission, findContactPermissions, mayContact } from './consent/may-contact.service.ts'
export { filterOptedOut } from './consent/opted-out-records.service.ts'
export { recordOptIn } from './consent/record-opt-in.service.ts'
export { recordOptOut } from './consent/record-opt-out.service.ts'
export { subjectKeyName } from './consent/subject-hashes.service.ts'
export { Contact } from './contacts/contacts.schemas.ts'
export { crm } from './crm.module.ts'
export { type FieldUse, fieldUsePoint } from './custom-fields/field-use.ts'
export type { CustomValues } from './custom-values/custom-values.schemas.ts'
export { type CustomFieldRow, listFieldsOf, lockCustomFieldsShared } from './custom-values/field-definitions.queries.ts'
export {
  acceptValue,
  applyEnrichedValues,
  confirmEnrichedValues,
  type EnrichedValue,
} from './enriched-values/apply-enriched-values.service.ts'
export {
  type EnrichableType,
  enrichableFields,
  enrichableTypes,
  isDerivedField,
} from './enriched-values/enrichable-fields.ts'
export { normalizeEnrichedValue } from './enriched-values/enriched-values.rules.ts'
export {
  type FieldFact,
  getRecordFacts,
  type LookupInput,
  lockRecordFacts,
  type RecordFacts,
  type RecordRef,
} from './enriched-values/record-facts.service.ts'
export { repeatErasures } from './erasure/request-erasure.service.ts'
export { type ListRecordsWithSentEmails, sentEmailsPoint } from './import-records/sent-emails.ts'
export { type ImportTarget, importTargetPoint } from './imports/import-target.ts'
export { getLead, type LeadRow } from './lead-records/leads.queries.ts'
export { Lead, ListedLead, NewLead } from './lead-records/leads.schemas.ts'
export { createLead } from './leads/create-lead.service.ts'
export { createLeads } from './leads/create-leads.service.ts'
export { findPersonByEmail, findPersonsByEmails, type PersonIds } from './leads/find-persons.service.ts'
export { getLeadDetails } from './leads/lead-details.service.ts'
export { OwnerFilter } from './lists/list.schemas.ts'
export { resolveOwnerId } from './lists/list-filter.rules.ts'
export { endedEnrollmentsPoint } from './merge/ended-enrollments.ts'
export {
  countClosedDeals,
  type DealOutcome,
  type DealSegment,
  listChangedDeals,
  listDealOutcomes,
  listDealSegments,
} from './opportunities/deal-outcomes.queries.ts'
export {
  type DealPersons,
  findDealCampaignId,
  findDealCards,
  listDealIdsOfPersons,
  listDealPersons,
  listOpenDealIds,
} from './person-lookup/deal-persons.queries.ts'
export {
  type EnrollablePerson,
  listEnrollablePersons,
  selectPersonKeys,
} from './person-lookup/enrollable-persons.queries.ts'
export { lockPersons, type Person } from './person-lookup/lock-persons.service.ts'
export { listOutreachPersons, type OutreachPerson } from './person-lookup/outreach-persons.queries.ts'
export { type FoundPersons, matchesPersonSearch, searchPersons } from './person-lookup/person-search.queries.ts'
export {
  type EmailRecipient,
  findContactCards,
  findLeadCards,
  listEmailRecipients,
  listLeadMilestones,
  listLeadUtmCampaigns,
} from './person-lookup/persons.queries.ts'
export { isInternetDomain } from './persons/email-kinds.ts'
export { companyLabelOf, emailKindOf, phoneCountryOf } from './persons/person-keys.ts'
export { fieldsOf } from './record-rules/field-catalogue.service.ts'
export {
  countMatchingRecords,
  listExistingIds,
  listMatchingIds,
  selectMatchingIds,
  selectNewestIds,
} from './record-rules/matching-records.queries.ts'
export { parseRecordRule, type RecordRule, readRuleContext } from './record-rules/parse-record-rule.service.ts'
export { RuleCatalogue } from './record-rules/rule-catalogue.schemas.ts'
export { getRuleCatalogue } from './record-rules/rule-catalogue.service.ts'
export { maxRanked, searchRank } from './record-search/record-search.queries.ts'
export { listRecordLabels, type RecordLabel } from './record-summaries/record-summaries.queries.ts'
export { listRecordSummaries } from './record-summaries/record-summaries.service.ts'
export { normalizeMoney } from './records/changed-fields.rules.ts'
export { findAccountNames, findContactNames } from './records/record-names.queries.ts'
export { findContactReferences, findOpportunityReferences } from './records/record-references.queries.ts'
export { hasAnyTag, replaceTags } from './records/tags.queries.ts'
export { sampleLeadKeys } from './sample-data/crm-sample.ts'
export { refreshSampleScores } from './sample-data/refresh-scores.service.ts'
export { setScoreComponent } from './scoring/set-score-component.service.ts'
export { readCrmSettings } from './settings/crm-settings.queries.ts'
export { toBaseMinor } from './settings/currency.service.ts'
