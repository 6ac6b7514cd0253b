import { daysLater, secondsLater } from '#platform/clock'
import type { IntegrityRun, RecordReference, SampleData, SampleStep } from '#platform/module'
import { createExpert } from '../directory/experts.service.ts'
import { advanceRequest } from '../requests/advance-requests.service.ts'
import { createExpertRequest } from '../requests/create-request.service.ts'
import type { ExpertRequestChanges } from '../requests/requests.schemas.ts'
import { updateExpertRequest } from '../requests/update-request.service.ts'
import { deleteSampleExperts } from './remove-sample.queries.ts'
import { type SampleRequest, sampleExperts, sampleRequests } from './sample-experts.ts'

const expertDays = 80
const responseSeconds = 3 * 3_600

/** Experts and requests in every state; each topic has one expert, so the answers have the right author. */
export const expertsSample: SampleData = {
  name: 'experts',
  plan: ({ now }) => [
    ...sampleExperts.map((_, index) => expertStep(index, now)),
    ...sampleRequests.flatMap((request, index) => requestSteps(request, `expert_request:${index + 1}`, now)),
  ],
  async remove({ inTenant }: IntegrityRun, records: readonly RecordReference[]) {
    const idsOf = (type: string) => records.filter(({ resource_type }) => resource_type === type).map(({ id }) => id)
    await inTenant((tx) => deleteSampleExperts(tx, { experts: idsOf('expert'), requests: idsOf('expert_request') }))
    return []
  },
}

function expertStep(index: number, now: Date): SampleStep {
  const { user, ...expert } = sampleExperts[index]!
  return {
    author: 'user:2',
    async run(tx, actor, idOf) {
      const input = { ...expert, user_id: idOf(user) }
      const { id } = await createExpert(tx, actor, input, { now: daysLater(now, -expertDays) })
      return [{ key: `expert:${index + 1}`, resource_type: 'expert', id }]
    },
  }
}

function requestSteps({ outcome, answer, rating, author, daysAgo, ...input }: SampleRequest, key: string, now: Date) {
  const createdAt = daysLater(now, -daysAgo)
  const expert = sampleExperts.find(({ topics }) => topics.includes(input.topic))?.user
  const create: SampleStep = {
    ...(author && { author }),
    async run(tx, actor) {
      const { id } = await createExpertRequest(tx, actor, input, { now: createdAt })
      return [{ key, resource_type: 'expert_request', id }]
    },
  }
  const change = (by: string | undefined, changes: ExpertRequestChanges): SampleStep => ({
    ...(by && { author: by }),
    async run(tx, actor, idOf) {
      await updateExpertRequest(tx, actor, idOf(key), { changes, now: secondsLater(createdAt, responseSeconds) })
      return []
    },
  })
  const recordBreach: SampleStep = {
    async run(tx, _actor, idOf) {
      await advanceRequest(tx, idOf(key), now)
      return []
    },
  }
  const rate = rating === undefined ? [] : [change(author, { rating })]
  const byOutcome: Record<SampleRequest['outcome'], SampleStep[]> = {
    open: [],
    assigned: [],
    late: [recordBreach],
    in_progress: [change(expert, { status: 'in_progress' })],
    answered: [change(expert, { status: 'answered', answer: answer ?? '' }), ...rate],
    closed: [
      change(expert, { status: 'answered', answer: answer ?? '' }),
      ...rate,
      change(author, { status: 'closed' }),
    ],
    cancelled: [change(author, { status: 'cancelled' })],
  }
  return [create, ...byOutcome[outcome]]
}
