import { redactAuditEntries } from '#platform/audit'
import { type TenantTx, toSearchText } from '#platform/db'
import { eraseMentions, mentionsOf, scanForMentions, toMentionPattern } from '#platform/erasure'
import type { ErasedPerson, Erasure, ErasureBatch } from '#platform/module'
import {
  deleteFlowRecordsOfPerson,
  deleteMembersOfPerson,
  lockSegmentTexts,
  updateSegmentTexts,
} from './segment-erasure.queries.ts'

export const segmentErasure: Erasure = {
  name: 'marketing.segments',
  async erase(tx, subject) {
    if ('user_id' in subject) return { counts: {} as Record<string, number> }
    const members = await deleteMembersOfPerson(tx, subject)
    const flowRecords = await deleteFlowRecordsOfPerson(tx, subject)
    return { counts: { 'marketing.segment_members': members, 'marketing.segment_flow_records': flowRecords } }
  },
}

/** Names and rules of segments can contain a name or email address. */
export const segmentTextErasure: Erasure = {
  name: 'marketing.segment_texts',
  requiresSystemRole: true,
  erase: async (tx, subject, after) => ('user_id' in subject ? { counts: {} } : await eraseTexts(tx, subject, after)),
}

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
