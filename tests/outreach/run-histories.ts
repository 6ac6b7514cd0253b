import { mapConcurrently } from '#platform/concurrency'
import type { Mail } from '#platform/mail'
import { createRandom } from '#platform/module'
import { createIntegrityRunner } from '../../src/modules/operations/integrity/integrity.fixture.ts'
import { type Background, createBackground, type TestApp } from './background.ts'
import { createMailServer } from './mail-server.ts'
import { createModel, type OutreachModel } from './model.ts'
import { createOutreachWorkspace, type OutreachWorkspace } from './outreach-workspace.ts'
import { changeGroup } from './person-changes.ts'
import { createRestores } from './restores.ts'
import { findUnattended } from './unattended.ts'
import { changeWorkspace, enrollAll } from './workspace-changes.ts'

const [minute, hour] = [60, 3_600]
const pauses = [5 * minute, hour, 6 * hour, 20 * hour, 26 * hour]
const timezones = ['UTC', 'America/Los_Angeles', 'Asia/Kathmandu']
const concurrency = 4
const integrityCodes = [
  'counter_drift',
  'cadence_enrollment_without_run',
  'cadence_run_without_email',
  'cadence_person_enrolled_twice',
]

export type HistoryOptions = { seed: number; groups: number; ticks: number; hasRestores: boolean }
export type HistoryResult = { violations: string[]; log: string[]; emails: number; changes: number }

/**
 * Runs the histories of many persons in one workspace: they have events of their own, and the events of the workspace in common. After
 * each of them a worker does what is due. Every email is judged by the model when it leaves, every enrollment at the end.
 */
export async function runHistories(app: TestApp, options: HistoryOptions): Promise<HistoryResult> {
  const { clock, services } = app
  const { seed, groups, ticks, hasRestores } = options
  const random = createRandom(seed)
  const timezone = random.pick(timezones)
  const model = createModel(timezone)
  const violations: string[] = []
  const log: string[] = []
  const acme = await createOutreachWorkspace(app, model, random, { groups, timezone, name: `h${seed}` })
  const server = createMailServer(createRandom(seed + 1), {
    onAccepted: (mail) => acceptMail(mail, { app, acme, model, violations }),
    onUnknownAddress: (address) => model.refuse(address, 'bounce'),
  })
  const standardMailer = services.outreachMailer
  services.outreachMailer = { ...standardMailer, send: server.send }
  const background = createBackground(app, acme, server)
  const restores = createRestores({ app, acme, model, server })
  const context = { app, acme, model, unexpected: violations, server }
  const randoms = acme.groups.map((_, index) => createRandom(seed * 10_000 + index))
  let changes = 0
  try {
    for (let tick = 0; tick < ticks && !violations.length; tick++) {
      clock.advance(tick ? random.pick(pauses) : 0)
      await acme.signInAgain()
      const ofWorkspace: string[] = []
      if (tick === 0) await enrollAll(context)
      else if (random.chance(0.7)) ofWorkspace.push(await changeWorkspace(context, random))
      if (hasRestores) ofWorkspace.push(...(await restores.change(tick, ticks)))
      const chosen = acme.groups.filter((_, index) => randoms[index]!.chance(changesPerTick))
      const done = await mapConcurrently(chosen, concurrency, (group) =>
        changeGroup(context, group, randoms[acme.groups.indexOf(group)]!),
      )
      changes += done.length
      log.push(`${clock.now().toISOString()} ${[...ofWorkspace, ...done].join(', ')}`)
      await background.sendDue(random.chance(lateEmailsPerTick) ? random.pick(pauses) : 0)
      await background.sendDue()
    }
    if (!violations.length)
      violations.push(...(await findProblemsAtEnd(app, acme, background, restores.toldBeforeCleaning)))
  } finally {
    services.outreachMailer = standardMailer
    clock.reset()
  }
  return { violations, log, emails: model.sent.length, changes }
}

const changesPerTick = 0.15
const lateEmailsPerTick = 0.4

type Accepting = { app: TestApp; acme: OutreachWorkspace; model: OutreachModel; violations: string[] }

async function acceptMail(mail: Mail, { app, acme, model, violations }: Accepting): Promise<void> {
  const runId = mail.messageId!.slice(1, mail.messageId!.indexOf('@'))
  const { rows } = await app.owner.query(
    `select run.enrollment_id, run.step_id, run.cadence_id, enrollment.sender_id
     from marketing.cadence_step_runs run
     join marketing.cadence_enrollments enrollment on enrollment.tenant_id = run.tenant_id and enrollment.id = run.enrollment_id
     where run.tenant_id = $1 and run.id = $2`,
    [acme.id, runId],
  )
  const [row] = rows
  if (!row) {
    violations.push(`An email of another workspace or without a run was sent to ${mail.to.address}.`)
    return
  }
  violations.push(
    ...model.acceptMail({
      runId,
      enrollmentId: row.enrollment_id,
      stepId: row.step_id,
      cadenceId: row.cadence_id,
      senderId: row.sender_id,
      address: mail.to.address.toLowerCase(),
      at: app.clock.now(),
    }),
  )
}

async function findProblemsAtEnd(
  app: TestApp,
  acme: OutreachWorkspace,
  { settle }: Background,
  toldBeforeCleaning: ReadonlySet<string>,
): Promise<string[]> {
  await settle()
  const results = await createIntegrityRunner(app.services).findAll(acme.id)
  const found = results.filter(({ status, code }) => status !== 'ok' && integrityCodes.includes(code))
  return [...found.map((result) => JSON.stringify(result)), ...(await findUnattended(acme, toldBeforeCleaning))]
}
