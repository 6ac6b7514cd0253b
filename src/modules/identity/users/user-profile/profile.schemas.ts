import { type Static, Type } from 'typebox'
import { Money } from '#platform/money'
import { Id, named, nullable, Reference, strict, Timestamp } from '#platform/schema'
import { TeamOfUser, User } from '../../workspace/user-records/users.schemas.ts'

const Count = Type.Integer({ minimum: 0 })
const Rate = nullable(Type.Number({ minimum: 0 }))
const CountBy = Type.Record(Type.String(), Count)

const Book = strict({
  leads: nullable(strict({ owned: Count, open: Count, by_status: CountBy, by_grade: CountBy, untouched_7d: Count })),
  contacts: nullable(strict({ owned: Count })),
  accounts: nullable(strict({ owned: Count })),
  opportunities: nullable(
    strict({
      open_count: Count,
      open_amount: Money,
      weighted_amount: Money,
      overdue_count: Count,
      won_count: Count,
      won_amount: Money,
      lost_count: Count,
      win_rate: Rate,
      average_cycle_days: nullable(Type.Number()),
    }),
  ),
  campaigns: nullable(strict({ active: Count })),
  rooms: nullable(strict({ active: Count })),
})

const Enablement = strict({
  readiness_score: nullable(Type.Number()),
  enrollments_open: nullable(Count),
  enrollments_overdue: nullable(Count),
  last_pitch_score: nullable(Type.Number()),
})

const RecentActivity = strict({
  action: Type.String(),
  resource_type: Type.String(),
  resource_id: nullable(Id),
  resource_label: nullable(Type.String()),
  occurred_at: Timestamp,
})

export const Profile = named(
  'Profile',
  strict({
    user: User,
    teams: Type.Array(TeamOfUser),
    manager: nullable(Reference),
    direct_reports: Type.Array(Reference),
    period: strict({ from: Timestamp, to: Timestamp }),
    book: Book,
    enablement: nullable(Enablement),
    recent_activity: Type.Array(RecentActivity),
    concentration_rate: Rate,
  }),
)
export type Profile = Static<typeof Profile>

export const ProfileQuery = strict({
  period_days: Type.Integer({
    minimum: 7,
    maximum: 366,
    default: 90,
    description: 'Length of the period for won and lost deals, in days.',
  }),
})
