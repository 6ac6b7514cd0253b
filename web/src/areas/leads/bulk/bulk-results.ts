import type { Schemas } from '../../../api/client.ts'

export type BulkResponse = Schemas['BulkLeadsResponse']
export type BulkTask = Extract<BulkResponse, { task_id: string }>
export type BulkResult = Exclude<BulkResponse, BulkTask>

export const isTask = (response: BulkResponse): response is BulkTask => 'task_id' in response

export type FailureGroup = { message: string; ids: string[] }

/** Failures by reason, the most frequent first. */
export function groupFailures({ results }: BulkResult): FailureGroup[] {
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  return [...Map.groupBy(failed, ({ message, code }) => message ?? code ?? '')]
    .map(([message, leads]) => ({ message, ids: leads.map(({ lead_id }) => lead_id) }))
    .sort((one, other) => other.ids.length - one.ids.length)
}

export const changedIds = ({ results }: BulkResult): string[] =>
  results.filter(({ outcome }) => outcome === 'ok').map(({ lead_id }) => lead_id)
