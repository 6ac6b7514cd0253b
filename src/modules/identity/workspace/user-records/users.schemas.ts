import { type Static, Type } from 'typebox'
import { roles } from '#platform/access'
import { Money } from '#platform/money'
import {
  clearable,
  Email,
  enumList,
  Id,
  idOr,
  Line,
  listQuery,
  named,
  nullable,
  Reference,
  Search,
  sortOrder,
  strict,
  Timestamp,
} from '#platform/schema'

export const RoleName = Type.Enum([...roles])
export const userStatuses = ['invited', 'active', 'deactivated', 'erased'] as const
export type UserStatus = (typeof userStatuses)[number]
export const Status = Type.Enum([...userStatuses])

const Title = Line(120)
const Phone = Line(40)
const Timezone = Type.String({
  minLength: 1,
  maxLength: 64,
  examples: ['Europe/Berlin'],
  description: 'IANA time zone.',
})
const Locale = Type.String({ minLength: 2, maxLength: 35, examples: ['en'], description: 'BCP 47 language tag.' })

export const TeamOfUser = strict({ id: Id, name: Type.String(), role: Type.Enum(['lead', 'member']) })

const userFields = {
  id: Id,
  /** Not a valid email address for erased users. */
  email: Type.String(),
  name: Type.String(),
  role: RoleName,
  status: Status,
  title: nullable(Type.String()),
  phone: nullable(Type.String()),
  avatar_url: nullable(Type.String()),
  timezone: Type.String(),
  locale: Type.String(),
  manager_id: nullable(Id),
  manager: nullable(Reference),
  forecast_participant: Type.Boolean(),
  quarterly_quota: nullable(Money),
  teams: Type.Array(TeamOfUser),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

/** Null unless the viewer is the user or an admin. */
const privateFields = {
  email_verified_at: nullable(Timestamp),
  must_change_password: nullable(Type.Boolean()),
  auth_methods: nullable(Type.Array(Type.String())),
  last_login_at: nullable(Timestamp),
  last_seen_at: nullable(Timestamp),
  deactivated_at: nullable(Timestamp),
}

export const User = named('User', strict({ ...userFields, ...privateFields }))
export type User = Static<typeof User>

export const Invite = strict({ sent_to: Email, expires_at: Timestamp })

export const CreatedUser = named(
  'CreatedUser',
  strict({
    ...userFields,
    ...privateFields,
    temporary_password: nullable(Type.String({ description: 'Returned only once. Null if an invitation was sent.' })),
    invite: nullable(Invite),
  }),
)

export const UpdatedUser = named(
  'UpdatedUser',
  strict({
    ...userFields,
    ...privateFields,
    reassign_task_id: nullable(
      Type.String({ description: 'Task that reassigns the records of the user, if `reassign_to_user_id` was sent.' }),
    ),
  }),
)

export const NewUser = strict({
  email: Email,
  name: Line(120),
  role: Type.Optional(Type.Enum([...roles], { default: 'member' })),
  title: clearable(Title),
  phone: clearable(Phone),
  timezone: Type.Optional(Timezone),
  locale: Type.Optional(Locale),
  manager_id: clearable(Id),
  team_ids: Type.Optional(Type.Array(Id, { maxItems: 20, uniqueItems: true })),
  forecast_participant: Type.Optional(Type.Boolean({ description: 'Default: true for the roles manager and member.' })),
  quarterly_quota: clearable(Money),
  send_invite: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'If false, a temporary password is returned instead of sending an invitation.',
    }),
  ),
})
export type NewUser = Static<typeof NewUser>

export const UserChanges = strict({
  email: Type.Optional(Email),
  name: Type.Optional(Line(120)),
  role: Type.Optional(RoleName),
  status: Type.Optional(Type.Enum(['active', 'deactivated'])),
  title: clearable(Title),
  phone: clearable(Phone),
  timezone: Type.Optional(Timezone),
  locale: Type.Optional(Locale),
  manager_id: clearable(Id),
  forecast_participant: Type.Optional(Type.Boolean()),
  quarterly_quota: clearable(Money),
  must_change_password: Type.Optional(
    Type.Literal(true, { description: 'Requires a new password at the next request.' }),
  ),
  reassign_to_user_id: Type.Optional(
    Type.Unsafe<string>({
      ...Id,
      description: 'Active user who receives the records of this user. Only with `status: deactivated`.',
    }),
  ),
})
export type UserChanges = Static<typeof UserChanges>

export const OwnProfileChanges = strict({
  name: Type.Optional(Line(120)),
  title: clearable(Title),
  phone: clearable(Phone),
  avatar_url: clearable(Type.String({ format: 'uri', pattern: '^https://', maxLength: 2_048 })),
  timezone: Type.Optional(Timezone),
  locale: Type.Optional(Locale),
  notify_new_device: Type.Optional(Type.Boolean()),
  notification_preferences: Type.Optional(
    Type.Record(
      Type.String({ pattern: '^[a-z_.]{1,80}$' }),
      strict({ in_app: Type.Optional(Type.Boolean()), email: Type.Optional(Type.Boolean()) }),
      { maxProperties: 100, additionalProperties: false },
    ),
  ),
})
export type OwnProfileChanges = Static<typeof OwnProfileChanges>

export const UserFilter = listQuery({
  sort: sortOrder(['name', '-name']),
  search: Type.Optional(Search),
  role: Type.Optional(enumList([...roles])),
  status: Type.Optional(enumList([...userStatuses])),
  team_id: Type.Optional(Id),
  manager_id: Type.Optional(Id),
})
export type UserFilter = Static<typeof UserFilter>

export const UserParams = strict({ user_id: Id })

export const OwnerFilter = idOr('me', 'Id of the owner, or `me` for the caller.')
