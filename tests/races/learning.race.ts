import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { runTenantSchedule } from '#testing'
import { expireAttemptsSchedule } from '../../src/modules/learning/attempts/expire-attempts.jobs.ts'
import { enrollUsers } from '../../src/modules/learning/enrollments/enroll-users.service.ts'
import { renewCertificatesSchedule } from '../../src/modules/learning/enrollments/renew-certificates.jobs.ts'
import {
  complete,
  createPath,
  enroll,
  quizModule,
  start,
  submit,
  textModule,
} from '../../src/modules/learning/learning.fixture.ts'
import { type Race, runConcurrently, type TestApp, type TestWorkspace } from './race.ts'

type Response = { status: number; body?: { code?: string } }

const describe = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join(' ')
const codeOf = ({ status, body }: Response) => (status < 300 ? String(status) : `${status} ${body?.code}`)

/** Reads an enrollment with its counts and events, in one statement. */
async function readEnrollment({ sql }: TestWorkspace, id: string) {
  const { rows } = await sql(
    `select status, progress_rate::float8 as progress, score::float8,
       (select count(*)::int from enablement.quiz_attempts where enrollment_id = enrollment.id) as attempts,
       (select max(attempts) from enablement.enrollment_modules where enrollment_id = enrollment.id) as counted,
       (select string_agg(state, ',' order by position) from enablement.enrollment_modules
         where enrollment_id = enrollment.id) as modules,
       (select count(*)::int from enablement.certificates where enrollment_id = enrollment.id) as certificates,
       (select count(*)::int from platform.outbox_events where subject_id = enrollment.id::text
         and type = 'learning_enrollment.completed') as completions
     from enablement.learning_enrollments enrollment where id = $1`,
    [id],
  )
  return rows[0]
}

/** Creates a path per run, so that the enrollments of the runs do not meet. */
async function prepare(app: TestApp, fields: Parameters<typeof createPath>[1]) {
  const acme = await app.tenant()
  return {
    acme,
    async createOwn() {
      const path = await createPath(acme, fields)
      return { path, modules: path.modules, enrollment: await enroll(acme.member, path) }
    },
  }
}

export const submitsOfTheLastAttempt: Race = {
  name: 'enablement-5-6 two submissions with one attempt left',
  minRuns: 20,
  async prepare(app) {
    const { acme, createOwn } = await prepare(app, { modules: [quizModule({ max_attempts: 1 })] })
    return async () => {
      const { enrollment, modules } = await createOwn()
      const { body } = await acme.member.get(enrollment.url)
      const [question] = body.modules[0].questions
      const right = [{ question_id: question.id, option_ids: [question.options[0].id] }]

      const responses = (await runConcurrently(
        () => submit(acme.member, enrollment, modules[0]!, { answers: [] }),
        () => submit(acme.member, enrollment, modules[0]!, { answers: right }),
      )) as [Response, Response]

      const codes = responses.map(codeOf)
      const after = await readEnrollment(acme, enrollment.id)
      const isClosed = ['completed', 'failed'].includes(after.status)
      const isKnown = codes.some((code) => code === '200') && codes.some((code) => code === '409 no_attempts_left')
      if (!isKnown || after.attempts !== 1 || after.counted !== 1 || !isClosed)
        return { violation: describe(codes, after) }
      return { outcome: codes[0] === '200' ? 'first' : 'second' }
    }
  },
}

export const submitAgainstDeadline: Race = {
  name: 'enablement-5-7 a submission racing with the end of the time limit',
  minRuns: 20,
  async prepare(app) {
    const quiz = quizModule({ time_limit_seconds: 60, passing_score: 1 })
    const { acme, createOwn } = await prepare(app, { modules: [quiz, textModule] })
    const expire = () => runTenantSchedule(app, expireAttemptsSchedule(app.services))
    return async () => {
      const { enrollment, modules } = await createOwn()
      const { body: attempt } = await start(acme.member, enrollment, modules[0]!)
      const late = Math.random() * 0.06 - 0.03
      await acme.sql(
        `update enablement.quiz_attempts set deadline_at = now() - make_interval(secs => 30 + $2::float8) where id = $1`,
        [attempt.id, late],
      )

      const [submitted] = (await runConcurrently(
        () => submit(acme.member, enrollment, modules[0]!, { attempt_id: attempt.id, answers: [] }),
        expire,
      )) as [Response, unknown]

      await new Promise((resolve) => setTimeout(resolve, 60))
      await expire()
      const code = codeOf(submitted)
      const after = await readEnrollment(acme, enrollment.id)
      const { rows } = await acme.sql('select state from enablement.quiz_attempts where id = $1', [attempt.id])
      const expected = code === '200' ? 'submitted' : 'expired'
      if (!['200', '409 attempt_expired'].includes(code) || rows[0].state !== expected || after.counted !== 1)
        return { violation: describe(code, rows, after) }
      return { outcome: expected }
    }
  },
}

export const lastModulesAtOnce: Race = {
  name: 'enablement-5-1 the last two modules completed at once',
  minRuns: 20,
  async prepare(app) {
    const fields = { modules: [textModule, textModule], ordering: 'free', certificate: { enabled: true } }
    const { acme, createOwn } = await prepare(app, fields)
    return async () => {
      const { enrollment, modules } = await createOwn()

      const responses = (await runConcurrently(
        () => complete(acme.member, enrollment, modules[0]!),
        () => complete(acme.member, enrollment, modules[1]!),
      )) as [Response & { body: { status: string } }, Response]

      const codes = responses.map(codeOf)
      const after = await readEnrollment(acme, enrollment.id)
      const isComplete = after.status === 'completed' && after.certificates === 1 && after.completions === 1
      if (codes.some((code) => code !== '200') || !isComplete) return { violation: describe(codes, after) }
      return { outcome: responses[0].body.status === 'completed' ? 'first last' : 'second last' }
    }
  },
}

export const removalAgainstCompletion: Race = {
  name: 'enablement-5-12 a module removed while it is completed',
  minRuns: 20,
  async prepare(app) {
    const fields = { modules: [textModule, textModule], ordering: 'free', certificate: { enabled: true } }
    const { acme, createOwn } = await prepare(app, fields)
    return async () => {
      const { enrollment, modules } = await createOwn()
      await complete(acme.member, enrollment, modules[0]!)

      const [removed, completed] = (await runConcurrently(
        () => acme.manager.delete(modules[1]!.url as string),
        () => complete(acme.member, enrollment, modules[1]!),
      )) as [Response, Response]

      const codes = [removed, completed].map(codeOf)
      const after = await readEnrollment(acme, enrollment.id)
      const isCompleted = after.status === 'completed'
      // Without a worker, the job that completes enrollments after a removal does not run.
      const isConsistent = isCompleted
        ? after.certificates === 1 && after.completions === 1
        : after.modules === 'completed,removed' && after.progress === 1 && after.certificates === 0
      const isKnown = codes[0] === '204' && ['200', '404 not_found'].includes(codes[1]!)
      if (!isKnown || !isConsistent || isCompleted !== (codes[1] === '200'))
        return { violation: describe(codes, after) }
      return { outcome: isCompleted ? 'completion first' : 'removal first' }
    }
  },
}

export const renewalsAtOnce: Race = {
  name: 'enablement-5-13 the schedule of certificates running twice',
  minRuns: 20,
  async prepare(app) {
    const certificate = { enabled: true, valid_days: 60, recertify: true }
    const { acme, createOwn } = await prepare(app, { certificate })
    const renew = () => runTenantSchedule(app, renewCertificatesSchedule(app.services))
    return async () => {
      const { path, enrollment, modules } = await createOwn()
      await complete(acme.member, enrollment, modules[0]!)
      await acme.sql(
        `update enablement.certificates set expires_at = now() - interval '1 hour', recertify_at = now() - interval '1 day'
         where enrollment_id = $1`,
        [enrollment.id],
      )

      await runConcurrently(renew, renew)

      const { rows } = await acme.sql(
        `select (select string_agg(cycle || ' ' || source, ',' order by cycle) from enablement.learning_enrollments
             where path_id = $1) as cycles,
           (select count(*)::int from platform.outbox_events where type = 'certificate.expired'
             and subject_id = (select id::text from enablement.certificates where enrollment_id = $2)) as expired`,
        [path.id, enrollment.id],
      )
      if (rows[0].cycles !== '1 self,2 recertify' || rows[0].expired !== 1) return { violation: describe(rows[0]) }
      return { outcome: 'once' }
    }
  },
}

export const enrollAgainstTeamJob: Race = {
  name: 'enablement-5-10 a user enrolling while the team is enrolled',
  minRuns: 20,
  async prepare(app) {
    const acme = await app.tenant()
    return async () => {
      const path = await createPath(acme)
      const { userId } = acme.member
      const options = { source: 'team', assignedBy: null, isMandatory: true, again: 'never', now: new Date() } as const
      const enrollTeam = () =>
        inTenant(app.services.db, systemActor(acme.id), (tx) => enrollUsers(tx, path.id, [userId], options))

      const [own] = (await runConcurrently(() => acme.member.post(`${path.url}/enroll`, {}), enrollTeam)) as [
        Response & { body: { enrolled: object[]; already: object[] } },
        unknown,
      ]

      const { rows } = await acme.sql(
        `select source, (select count(*)::int from enablement.enrollment_modules where enrollment_id = enrollment.id) as modules
         from enablement.learning_enrollments enrollment where path_id = $1`,
        [path.id],
      )
      const { enrolled, already } = own.body
      const isReported =
        enrolled.length + already.length === 1 && (rows[0]?.source === 'self') === (enrolled.length === 1)
      if (own.status !== 200 || rows.length !== 1 || rows[0].modules !== 1 || !isReported)
        return { violation: describe(own.body, rows) }
      return { outcome: rows[0].source }
    }
  },
}
