import type { Selectable } from 'kysely'
import type { FallbackReason } from '#platform/ai'
import type { Database } from '#platform/db'
import type { Buyer, BuyerState } from '../buyer/buyer-state.ts'
import { type SessionRow, sessionColumns } from '../sessions/session-row.ts'

export const roleplayColumns = [
  ...sessionColumns,
  'mode',
  'engine',
  'seed',
  'persona_snapshot',
  'state',
  'transcript_source',
  'voice_seconds',
  'last_activity_at',
  'claim_id',
  'claimed_until',
] as const

type Columns = Pick<
  Selectable<Database['enablement.coaching_sessions']>,
  'last_activity_at' | 'claim_id' | 'claimed_until' | 'voice_seconds'
>
export type RoleplayRow = SessionRow &
  Columns & {
    mode: 'text' | 'voice'
    engine: 'model' | 'rules' | null
    seed: Buffer
    persona_snapshot: Buyer
    state: BuyerState
    transcript_source: 'server' | 'client'
  }

export const messageColumns = [
  'seq',
  'role',
  'text',
  'spoken_seconds',
  'engine',
  'model',
  'fallback_reason',
  'cue',
  'created_at',
] as const
export type MessageRow = {
  seq: number
  role: 'rep' | 'buyer'
  text: string
  spoken_seconds: number | null
  engine: 'model' | 'rules' | null
  model: string | null
  fallback_reason: FallbackReason | null
  cue: string | null
  created_at: Date
}
