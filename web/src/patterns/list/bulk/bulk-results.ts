/** The outcome of one record: its id has another name for each kind. */
type Outcome = {
  lead_id?: string
  contact_id?: string
  outcome: 'ok' | 'unchanged' | 'failed'
  code?: string | null
  message?: string | null
}

type BulkTask = { task_id: string; total: number }
export type BulkResult = {
  action: string
  total: number
  succeeded: number
  unchanged: number
  failed: number
  results: readonly Outcome[]
}
export type BulkResponse = BulkTask | BulkResult

export const isTask = (response: BulkResponse): response is BulkTask => 'task_id' in response

const idOf = ({ lead_id, contact_id }: Outcome): string => (lead_id ?? contact_id)!

/** Failures by reason, the most frequent first. */
export function groupFailures({ results }: Pick<BulkResult, 'results'>): { message: string; ids: string[] }[] {
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  return [...Map.groupBy(failed, ({ message, code }) => message ?? code ?? '')]
    .map(([message, records]) => ({ message, ids: records.map(idOf) }))
    .sort((one, other) => other.ids.length - one.ids.length)
}

export const changedIds = ({ results }: Pick<BulkResult, 'results'>): string[] =>
  results.filter(({ outcome }) => outcome === 'ok').map(idOf)
