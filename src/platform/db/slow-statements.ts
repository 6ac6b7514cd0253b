import type { Actor } from '#platform/access'
import { createDbAttachment, type InstanceMember } from './attachment.ts'

export type SlowStatement = { operation: string; durationMs: number; rows: number }
type Report = (actor: Actor, statement: SlowStatement) => void
export type SlowStatementListener = { minMs: number; report: Report }

const listeners = createDbAttachment<SlowStatementListener>('listener for slow statements')

/** Calls `report` for every statement of a tenant that takes longer than `minMs`. */
export const onSlowStatement = (member: InstanceMember, minMs: number, report: Report): void =>
  listeners.attach(member, { minMs, report })

export const findSlowStatementListener = (member: InstanceMember): SlowStatementListener | undefined =>
  listeners.find(member)

/** Names a statement by its command and first table. Its text has parameters instead of values. */
export function operationOf(text: string): string {
  const command = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const table = /\b(?:from|into|update)\s+("?\w+"?\."?\w+"?)/i.exec(text)?.[1]?.replaceAll('"', '')
  return table ? `${command} ${table}`.slice(0, 200) : command
}
