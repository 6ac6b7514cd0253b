import { systemActor, type UserActor } from '#platform/access'
import { inTenant } from '#platform/db'
import {
  audienceStart,
  type DistributionProgress,
  noneSkipped,
} from '../../src/modules/surveys/sending/distributions/audience.rules.ts'
import { inviteBatch } from '../../src/modules/surveys/sending/distributions/invite-batch.service.ts'
import { surveyActions } from '../../src/modules/surveys/surveys.fixture.ts'
import { type Race, runConcurrently } from './race.ts'

const sizeOfAudience = 3

/** Two distributions of a survey, or of two surveys within the throttling period, invite an address once. */
export const distributionsToOneAddress: Race = {
  name: 'engagement-1-8 two distributions to one address',
  async prepare(app) {
    const acme = await app.tenant()
    const { createSurvey } = surveyActions(app, acme)
    const { services } = app
    const actor: UserActor = { ...systemActor(acme.id), userId: acme.admin.userId, role: 'admin' }
    let runs = 0
    return async () => {
      const run = ++runs
      const emails = Array.from({ length: sizeOfAudience }, (_, n) => ({ email: `p${run}-${n}@race.example` }))
      const first = await createSurvey()
      const second = run % 2 ? first : await createSurvey()
      const distributionIds: string[] = []
      for (const { url } of [first, second]) {
        const { status, body, text } = await acme.admin.post(`${url}/distribute`, { emails })
        if (status !== 202) return { violation: text }
        distributionIds.push(body.distribution_id)
      }
      const invite = (distributionId: string) => async () => {
        let progress: DistributionProgress = { position: audienceStart, recipients: 0, skipped: noneSkipped }
        while (progress.position) {
          const batch = { distributionId, progress }
          progress = await inTenant(services.db, actor, (tx) => inviteBatch(tx, actor, batch, services))
        }
        return progress
      }

      const results = await runConcurrently(...distributionIds.map(invite))

      const { rows } = await acme.sql(
        `select count(*)::int as invitations, count(distinct email)::int as addresses,
           (select sum(invited)::int from surveys.counters where survey_id = any ($2)) as counted
         from surveys.invitations where tenant_id = $1 and survey_id = any ($2)`,
        [acme.id, [first.id, second.id]],
      )
      const { invitations, addresses, counted } = rows[0]
      const isOnce = [invitations, addresses, counted].every((count) => count === sizeOfAudience)
      if (!isOnce) return { violation: JSON.stringify({ ...rows[0], results }) }
      return { outcome: results[0]!.recipients ? 'first' : 'second' }
    }
  },
}
