import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { SampleData, SampleRecord, SampleStep } from '#platform/module'
import { currencyDigits } from '#platform/money'
import { createUserRecord } from '../users/users/create-user-row.service.ts'
import { readSettings } from '../workspace/settings/settings.queries.ts'
import { findTeamIdByName } from '../workspace/teams/teams.queries.ts'
import { createTeam } from '../workspace/teams/teams.service.ts'
import { removeSampleTeams, removeSampleUsers } from './remove-sample.service.ts'
import { sampleTeams, sampleUsers } from './sample-users.ts'

type IdOf = (key: string) => string

/** Users without a password or single sign-on, with addresses that receive no mail. */
export const identitySample: SampleData = {
  name: 'identity',
  plan: ({ now }) => [
    ...sampleUsers.map((user): SampleStep => ({ run: (tx, _, idOf) => createSampleUser(tx, user, idOf, now) })),
    ...sampleTeams.map((team): SampleStep => ({ run: (tx, actor, idOf) => createSampleTeam(tx, actor, team, idOf) })),
  ],
  async remove({ inTenant }, records) {
    const idsOf = (type: string) => records.filter(({ resource_type }) => resource_type === type).map(({ id }) => id)
    const keptTeams = await inTenant((tx) => removeSampleTeams(tx, idsOf('team')))
    const keptUsers = await inTenant((tx) => removeSampleUsers(tx, idsOf('user')))
    return [
      ...keptTeams.map((id) => ({ resource_type: 'team', id })),
      ...keptUsers.map((id) => ({ resource_type: 'user', id })),
    ]
  },
}

async function createSampleUser(
  tx: TenantTx,
  { key, name, title, role, manager, quota }: (typeof sampleUsers)[number],
  idOf: IdOf,
  now: Date,
): Promise<SampleRecord[]> {
  const { currency, timezone } = await readSettings(tx, 'general')
  const user = await createUserRecord(tx, {
    name,
    title,
    role,
    timezone,
    email: `${name.toLowerCase().replace(' ', '.')}@tributary-demo.example`,
    source: 'sample',
    status: 'active',
    manager_id: manager ? idOf(manager) : null,
    quarterly_quota_minor: quota ? quota * 10 ** currencyDigits(currency) : null,
    email_verified_at: now,
  })
  return [{ key, resource_type: 'user', id: user.id }]
}

async function createSampleTeam(
  tx: TenantTx,
  actor: UserActor,
  { key, name, description, color, lead, members }: (typeof sampleTeams)[number],
  idOf: IdOf,
): Promise<SampleRecord[]> {
  const isTaken = (await findTeamIdByName(tx, name)) !== undefined
  const team = await createTeam(tx, actor, {
    description,
    color,
    name: isTaken ? `${name} (sample)` : name,
    members: [
      { user_id: idOf(lead), role: 'lead' },
      ...members.map((member) => ({ user_id: idOf(member), role: 'member' as const })),
    ],
  })
  return [{ key, resource_type: 'team', id: team.id }]
}
