import type { ErasedPerson, ErasureSubject } from '#platform/module'
import type { EventScan } from '#platform/outbox'

export const isUser = (subject: ErasureSubject): subject is { user_id: string } => 'user_id' in subject

/** Texts that identify the person everywhere. Other people can have the same name. */
export const identifiersOf = ({ email_keys, phones }: ErasedPerson): string[] => [...email_keys, ...phones]

export const recordIdsOf = (subject: ErasureSubject): string[] =>
  isUser(subject) ? [subject.user_id] : [...subject.lead_ids, ...subject.contact_ids]

export const mentionsOf = (subject: ErasureSubject): string[] => (isUser(subject) ? [] : identifiersOf(subject))

/** Selects events about the subject, and events of related records that contain a name. */
export const eventScanOf = (subject: ErasureSubject): EventScan => ({
  subjectIds: recordIdsOf(subject),
  mentions: mentionsOf(subject),
  related: isUser(subject)
    ? { ids: [], mentions: [] }
    : { ids: [...subject.account_ids, ...subject.opportunity_ids], mentions: subject.names },
})
