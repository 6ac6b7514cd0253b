import { redactAuditEntries } from '#platform/audit'
import { type TenantTx, toSearchText } from '#platform/db'
import { eraseMentions, mentionsOf, scanForMentions, toMentionPattern } from '#platform/erasure'
import { definePersonErasure, type ErasedPerson, type ErasureBatch } from '#platform/module'
import {
  deleteFlowRecordsOfPerson,
  deleteMembersOfPerson,
  lockSegmentTexts,
  updateSegmentTexts,
} from './segment-erasure.queries.ts'

export const segmentErasure = definePersonErasure('marketing.segments', async (tx, person) => {
  const members = await deleteMembersOfPerson(tx, person)
  const flowRecords = await deleteFlowRecordsOfPerson(tx, person)
  return { counts: { 'marketing.segment_members': members, 'marketing.segment_flow_records': flowRecords } }
})

/** Names and rules of segments can contain a name or email address. */
export const segmentTextErasure = definePersonErasure('marketing.segment_texts', eraseTexts, {
  requiresSystemRole: true,
})

const table = 'marketing.segments'
const columns = ['name', 'description', 'rules', 'problems']

async function eraseTexts(tx: TenantTx, person: ErasedPerson, after?: string): Promise<ErasureBatch> {
  const mentions = mentionsOf(person)
  const { ids, next } = await scanForMentions(tx, { table, columns, mentions, after })
  const pattern = toMentionPattern(mentions)
  const erase = <T>(value: T): T => JSON.parse(JSON.stringify(value), (_, part) => eraseText(part))
  const eraseText = (part: unknown) => (typeof part === 'string' ? eraseMentions(part, pattern) : part)
  for (const segment of await lockSegmentTexts(tx, ids)) {
    const { id, description, rules, problems } = erase(segment)
    const erased = eraseMentions(segment.name, pattern)
    // Names are unique.
    const name = erased === segment.name ? erased : `${erased.slice(0, 140)} ${id.slice(-8)}`
    const search_text = toSearchText(name, description)
    await updateSegmentTexts(tx, { id, name, description, rules, problems, search_text })
  }
  const redacted = ids.length ? await redactAuditEntries(tx, 'segment', ids) : 0
  return { counts: { [table]: ids.length, 'platform.audit_log': redacted }, ...(next !== null && { next }) }
}
