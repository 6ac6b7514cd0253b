import type { Actor } from '#platform/access'
import { createDbAttachment, type InstanceMember } from './attachment.ts'

export type SlowStatement = { operation: string; durationMs: number; rows: number }
export type ReportSlowStatement = (actor: Actor, statement: SlowStatement) => void

export const slowStatementMs = 500

const reporters = createDbAttachment<ReportSlowStatement>('listener for slow statements')

/** Calls `report` for every statement of a tenant that takes longer than half a second. */
export const onSlowStatement = (member: InstanceMember, report: ReportSlowStatement): void =>
  reporters.attach(member, report)

export const findSlowStatementReporter = (member: InstanceMember): ReportSlowStatement | undefined =>
  reporters.find(member)

/** Names a statement by its command and first table. Its text has parameters instead of values. */
export function operationOf(text: string): string {
  const command = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const table = /\b(?:from|into|update)\s+("?\w+"?\."?\w+"?)/i.exec(text)?.[1]?.replaceAll('"', '')
  return table ? `${command} ${table}`.slice(0, 200) : command
}
