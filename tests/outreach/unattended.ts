import type { OutreachWorkspace } from './outreach-workspace.ts'

/** Pauses that no user has asked for. */
const problems = ['missing_variable', 'send_failed', 'uncertain', 'sender_deactivated']

/** Cadences whose owner or sender was notified of paused enrollments. */
export async function listToldCadences(acme: Pick<OutreachWorkspace, 'id' | 'sql'>): Promise<string[]> {
  const { rows } = await acme.sql(
    `select distinct coalesce_key as id from platform.notifications where tenant_id = $1 and kind = 'cadence.enrollments_paused'`,
    [acme.id],
  )
  return rows.map(({ id }) => id)
}

/** Finds live enrollments without a next action that have no reason either, or of whose reason no user was notified. */
export async function findUnattended(
  acme: Pick<OutreachWorkspace, 'id' | 'sql'>,
  toldBeforeCleaning: ReadonlySet<string>,
): Promise<string[]> {
  const told = new Set([...toldBeforeCleaning, ...(await listToldCadences(acme))])
  const { rows } = await acme.sql(
    `select enrollment.id, enrollment.status, enrollment.paused_reason, enrollment.paused_until, enrollment.next_run_at,
       cadence.id as cadence_id, cadence.status as cadence_status, cadence.paused_reason as cadence_reason,
       exists (select from marketing.cadence_step_runs run where run.tenant_id = $1 and run.enrollment_id = enrollment.id
         and run.step_id = enrollment.current_step_id
         and (run.state = 'claimed' or (run.state = 'waiting' and run.run_at = enrollment.next_run_at))) as has_run
     from marketing.cadence_enrollments enrollment
     join marketing.cadences cadence on cadence.tenant_id = $1 and cadence.id = enrollment.cadence_id
     where enrollment.tenant_id = $1 and enrollment.status in ('active', 'paused')`,
    [acme.id],
  )
  return rows.flatMap((row) => {
    const problem = findProblem(row, told)
    return problem ? [`A live enrollment ${problem}: ${JSON.stringify(row)}`] : []
  })
}

type Row = {
  status: string
  paused_reason: string | null
  paused_until: Date | null
  cadence_id: string
  cadence_status: string
  has_run: boolean
}

function findProblem(row: Row, told: ReadonlySet<string>): string | undefined {
  if (row.status === 'active') return row.cadence_status === 'active' && !row.has_run ? 'has no next action' : undefined
  if (row.paused_reason === null) return 'is paused without a reason'
  if (row.paused_reason === 'auto_reply' && row.paused_until === null) return 'never continues'
  return problems.includes(row.paused_reason) && !told.has(row.cadence_id)
    ? 'is paused, and no user was notified'
    : undefined
}
