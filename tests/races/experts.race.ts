import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { runTenantSchedule } from '#testing'
import { answer, createExpert, createRequest, requestsUrl } from '../../src/modules/experts/experts.fixture.ts'
import { advanceRequest } from '../../src/modules/experts/requests/advance-requests.service.ts'
import { advanceRequestsSchedule } from '../../src/modules/experts/requests/requests.jobs.ts'
import { type Race, runConcurrently, type TestApp, type TestWorkspace } from './race.ts'

type Response = { status: number; body?: { code?: string } }
const codeOf = ({ status, body }: Response) => (status < 300 ? String(status) : `${status} ${body?.code}`)
const describe = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join(' ')

async function readRequest({ sql }: TestWorkspace, id: string) {
  const { rows } = await sql(
    `select request.status, request.expert_user_id, request.sla_breached_at is not null as is_breached, expert.is_active,
       (select count(*)::int from enablement.expert_request_events where request_id = request.id and kind = 'breached') as breaches
     from enablement.expert_requests request left join enablement.experts expert on expert.id = request.expert_id
     where request.id = $1`,
    [id],
  )
  return rows[0]
}

const prepare = async (app: TestApp) => ({ acme: await app.tenant(), ...app })

export const requestsForOneSlot: Race = {
  name: 'enablement-7-3 two requests for the only free place of an expert',
  minRuns: 20,
  async prepare(app) {
    const { acme } = await prepare(app)
    const expert = await createExpert(acme, { max_open: 1 })
    const colleague = await acme.person('member')
    return async () => {
      const [one, other] = (await runConcurrently(
        () => createRequest(acme.member),
        () => createRequest(colleague),
      )) as [Awaited<ReturnType<typeof createRequest>>, Awaited<ReturnType<typeof createRequest>>]

      const statuses = [one.status, other.status]
      await acme.admin.patch(one.url, { status: 'cancelled' })
      await acme.admin.patch(other.url, { status: 'cancelled' })
      if (statuses.toSorted().join() !== 'assigned,open') return { violation: describe(statuses, expert.id) }
      return { outcome: one.status === 'assigned' ? 'first' : 'second' }
    }
  },
}

export const declineAgainstBreach: Race = {
  name: 'enablement-7-8 an expert who declines while the schedule records the missed response',
  minRuns: 20,
  async prepare(app) {
    const { acme } = await prepare(app)
    const experts = [await createExpert(acme, { max_open: 50 }), await createExpert(acme, { max_open: 50 })]
    return async () => {
      const request = await createRequest(acme.member)
      const { user } = experts.find((expert) => expert.user.userId === request.expert?.id)!
      await acme.sql(
        `update enablement.expert_requests set due_at = now() - interval '1 minute', next_check_at = now() - interval '1 minute'
         where id = $1`,
        [request.id],
      )

      const [declined] = (await runConcurrently(
        () => user.patch(request.url, { decline: true, note: 'No' }),
        () => inTenant(app.db, systemActor(acme.id), (tx) => advanceRequest(tx, request.id, app.clock.now())),
      )) as [Response, unknown]
      await runTenantSchedule(app, advanceRequestsSchedule(app))

      const row = await readRequest(acme, request.id)
      await acme.admin.patch(request.url, { status: 'cancelled' })
      const isHeldByDecliner = row.expert_user_id === user.userId
      if (codeOf(declined) !== '200' || isHeldByDecliner || row.breaches !== 1 || row.status !== 'assigned')
        return { violation: describe(codeOf(declined), row) }
      const { rows } = await acme.sql(
        'select kind from enablement.expert_request_events where request_id = $1 order by created_at, id',
        [request.id],
      )
      const kinds = rows.map(({ kind }) => kind)
      return { outcome: kinds.indexOf('breached') < kinds.indexOf('declined') ? 'schedule first' : 'decline first' }
    }
  },
}

export const deletionAgainstAnswer: Race = {
  name: 'enablement-7-11 an expert who is deleted while answering',
  minRuns: 20,
  async prepare(app) {
    const { acme } = await prepare(app)
    return async () => {
      const expert = await createExpert(acme)
      const request = await createRequest(acme.member, { expert_id: expert.id })

      const [removed, answered] = (await runConcurrently(
        () => acme.manager.delete(expert.url),
        () => answer(expert.user, request),
      )) as [Response, Response]

      const row = await readRequest(acme, request.id)
      const isAnswered = codeOf(answered) === '200'
      const expected = isAnswered ? 'answered' : 'open'
      const isKnown = isAnswered || codeOf(answered) === '403 role_required'
      if (codeOf(removed) !== '204' || !isKnown || row.status !== expected)
        return { violation: describe(codeOf(removed), codeOf(answered), row) }
      const { body } = await acme.member.get(`${requestsUrl}?status=${expected}`)
      await acme.admin.patch(request.url, { status: 'cancelled' })
      if (!body.items.length) return { violation: describe(body) }
      return { outcome: isAnswered ? 'answer first' : 'deletion first' }
    }
  },
}
