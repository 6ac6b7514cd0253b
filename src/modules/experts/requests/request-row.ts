import type { Selectable } from 'kysely'
import type { Database } from '#platform/db'
import type { Priority, RequestStatus } from './requests.schemas.ts'

export const requestColumns = [
  'id',
  'requester_id',
  'topic',
  'subject',
  'body',
  'priority',
  'account_id',
  'opportunity_id',
  'content_item_ids',
  'expert_id',
  'expert_user_id',
  'is_direct',
  'status',
  'clock_started_at',
  'due_at',
  'expert_reminded_at',
  'first_response_at',
  'answered_at',
  'closed_at',
  'answer',
  'answer_content_item_ids',
  'declined_by',
  'rating',
  'rating_comment',
  'sla_breached_at',
  'reopen_count',
  'next_check_at',
  'created_at',
  'updated_at',
  'version',
] as const

type Columns = Selectable<Database['enablement.expert_requests']>
type TypedColumns = { status: RequestStatus; priority: Priority }
export type RequestRow = Omit<Pick<Columns, (typeof requestColumns)[number]>, keyof TypedColumns> & TypedColumns
