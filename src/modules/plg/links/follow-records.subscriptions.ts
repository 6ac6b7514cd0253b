import {
  accountCreated,
  accountDeleted,
  accountRestored,
  accountUpdated,
  contactCreated,
  contactDeleted,
  contactMerged,
  contactRestored,
  contactUpdated,
  leadConverted,
  leadCreated,
  leadDeleted,
  leadMerged,
  leadRestored,
  leadUpdated,
} from '#events/crm'
import { subscribeOptIn } from '#platform/outbox'
import { followRecords } from './follow-records.service.ts'

export const followRecordsConsumer = 'plg.follow_records'

/** Only workspaces with usage data receive the events. */
export const onRecordsChanged = subscribeOptIn(
  [
    leadCreated,
    leadUpdated,
    leadRestored,
    leadMerged,
    leadConverted,
    leadDeleted,
    contactCreated,
    contactUpdated,
    contactRestored,
    contactMerged,
    contactDeleted,
    accountCreated,
    accountUpdated,
    accountRestored,
    accountDeleted,
  ],
  followRecordsConsumer,
  followRecords,
)
