export const enrollmentStatuses = ['active', 'paused', 'completed', 'exited'] as const
export type EnrollmentStatus = (typeof enrollmentStatuses)[number]

export const isLiveEnrollment = ({ status }: { status: EnrollmentStatus }): boolean =>
  status === 'active' || status === 'paused'

export const exitReasons = [
  'replied',
  'meeting_booked',
  'converted',
  'opted_out',
  'bounced',
  'disqualified',
  'removed',
  'deleted',
  'erased',
  'archived',
  'merged',
] as const
export type ExitReason = (typeof exitReasons)[number]

export const pauseReasons = [
  'manual',
  'auto_reply',
  'missing_variable',
  'send_failed',
  'uncertain',
  'sender_deactivated',
] as const
export type PauseReason = (typeof pauseReasons)[number]
