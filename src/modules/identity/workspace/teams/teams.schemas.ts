import { type Static, Type } from 'typebox'
import {
  clearable,
  Id,
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

export const TeamRole = Type.Enum(['lead', 'member'])
export type TeamRole = Static<typeof TeamRole>

const Color = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', maxLength: 7, examples: ['#3366ff'] })
const Description = Type.String({ maxLength: 500 })

const teamFields = {
  id: Id,
  name: Type.String(),
  description: nullable(Type.String()),
  color: nullable(Type.String()),
  parent_team_id: nullable(Id),
  parent: nullable(Reference),
  member_count: Type.Integer(),
  leads: Type.Array(Reference),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const TeamMember = named(
  'TeamMember',
  strict({
    id: Id,
    user_id: Id,
    role: TeamRole,
    user: strict({
      id: Id,
      name: Type.String(),
      email: Type.String(),
      status: Type.String(),
      avatar_url: nullable(Type.String()),
    }),
    created_at: Timestamp,
  }),
)
export type TeamMember = Static<typeof TeamMember>

export const TeamSummary = named('TeamSummary', strict(teamFields))
export const Team = named(
  'Team',
  strict({
    ...teamFields,
    members: Type.Array(TeamMember, { description: 'The first 200 members: leads first, then by name.' }),
  }),
)

const NewMember = strict({ user_id: Id, role: Type.Optional(Type.Enum(['lead', 'member'], { default: 'member' })) })
export const NewTeamMember = NewMember
export type NewTeamMember = Static<typeof NewMember>

export const NewTeam = strict({
  name: Line(80),
  description: clearable(Description),
  color: clearable(Color),
  parent_team_id: clearable(Id),
  members: Type.Optional(Type.Array(NewMember, { maxItems: 200 })),
})
export type NewTeam = Static<typeof NewTeam>

export const TeamChanges = strict({
  name: Type.Optional(Line(80)),
  description: clearable(Description),
  color: clearable(Color),
  parent_team_id: clearable(Id),
})
export type TeamChanges = Static<typeof TeamChanges>

export const TeamFilter = listQuery({
  sort: sortOrder(['name', '-name']),
  search: Type.Optional(Search),
  user_id: Type.Optional(Id),
  parent_team_id: Type.Optional(Id),
})
export type TeamFilter = Static<typeof TeamFilter>

export const TeamParams = strict({ team_id: Id })
export const MemberParams = strict({ team_id: Id, member_id: Id })
export const MemberRoleQuery = strict({ role: TeamRole })
export const MemberFilter = listQuery({ sort: sortOrder(['role', '-role'], 'Leads and members, then by name.') })
