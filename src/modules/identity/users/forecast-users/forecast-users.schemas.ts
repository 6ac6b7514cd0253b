import { Type } from 'typebox'
import { Money } from '#platform/money'
import { CalendarDay, Id, listQuery, named, nullable, Reference, sortOrder, strict } from '#platform/schema'
import { RoleName } from '../../workspace/user-records/users.schemas.ts'

export const ForecastUserFilter = listQuery({ sort: sortOrder(['name', '-name']) })

export const ForecastUser = named(
  'ForecastUser',
  strict({
    id: Id,
    name: Type.String(),
    email: Type.String(),
    role: RoleName,
    title: nullable(Type.String()),
    avatar_url: nullable(Type.String()),
    manager_id: nullable(Id),
    team: nullable(Reference),
    period: strict({ start_on: CalendarDay, end_on: CalendarDay }),
    quota: nullable(Money),
    open_amount: nullable(Money),
    weighted_amount: nullable(Money),
    won_amount: nullable(Money),
    projected_amount: nullable(Money),
    open_count: nullable(Type.Integer()),
    attainment_rate: nullable(Type.Number()),
  }),
)
