import { cadenceActions } from '../../src/modules/marketing/cadences/cadence-sending/cadence-runs.fixture.ts'
import { dispatchQueued } from '../../src/modules/marketing/cadences/cadence-sending/dispatch.fixture.ts'
import type { Soak, SoakOptions, TestApp, TestWorkspace } from './soak.ts'

const [hour, days] = [3_600, 14]
const window = { days: [1, 2, 3, 4, 5, 6, 7], start: '09:00', end: '17:00' }
/** The mail server is down from the first to the second of these hours, which are counted from midnight of the first day. */
const outage = [34, 66] as const

/** Cadences while the mail server is down for more than a day of the test clock, until after the window of the next day. */
export const cadencesWithMailOutage: Soak = {
  name: 'cadences with a mail server that is down for a day',
  sizes: { nightly: 200, full: 2_000 },
  run: runOutageSoak,
}

type SentEmail = { address: string; subject: string; at: Date; senderId: string }

async function runOutageSoak(app: TestApp, { size, report }: SoakOptions): Promise<string[]> {
  const acme = await app.tenant()
  const actions = cadenceActions(app, acme)
  const limits = { daily_limit_per_sender: Math.ceil(size / 4), daily_limit_tenant: Math.ceil(size / 3) }
  await actions.setSending(limits)
  const cadence = await actions.createCadence([{}, { delay_days: 1 }], { window })
  const leads = await insertLeads(acme, size)
  app.clock.advance(secondsUntilMidnight(app.clock.now()))
  const senders = [acme.member.userId, acme.manager.userId]
  const senderByAddress = new Map(leads.map(({ email }, at) => [email, senders[at % senders.length]!]))
  for (const [index, sender] of senders.entries())
    await actions.enroll(
      cadence,
      leads.filter((_, at) => at % senders.length === index),
      sender,
    )

  const sent: SentEmail[] = []
  const started = performance.now()
  for (let hours = 0; hours < days * 24; hours++) {
    const isServerUp = hours < outage[0] || hours >= outage[1]
    await actions.runDue()
    for (let [due, before] = [await countDue(actions, app.clock.now()), Infinity]; due > 0 && due < before; ) {
      const dispatched = await dispatchQueued(app, actions, { isServerUp })
      const at = app.clock.now()
      sent.push(
        ...dispatched.map(({ address, subject }) => ({
          address,
          subject,
          at,
          senderId: senderByAddress.get(address)!,
        })),
      )
      before = due
      due = await countDue(actions, at)
    }
    app.clock.advance(hour)
  }
  app.clock.reset()
  const seconds = (performance.now() - started) / 1_000
  report(`${sent.length} emails to ${size} persons in ${days} days of the test clock, ${seconds.toFixed(0)} s`)
  return findViolations(sent, { size, ...limits })
}

async function countDue({ rowsOf }: ReturnType<typeof cadenceActions>, now: Date): Promise<number> {
  const [row] = await rowsOf(
    `select count(*)::integer as due from crm.email_messages where tenant_id = $1 and state = 'waiting' and run_at <= $2`,
    [now],
  )
  return row!.due
}

type Expected = { size: number; daily_limit_per_sender: number; daily_limit_tenant: number }

function findViolations(sent: readonly SentEmail[], { size, daily_limit_per_sender, daily_limit_tenant }: Expected) {
  const dayOf = ({ at }: SentEmail) => at.toISOString().slice(0, 10)
  const isOutside = ({ at }: SentEmail) => at.getUTCHours() < 9 || at.getUTCHours() >= 17
  const countAbove = (keyOf: (email: SentEmail) => string, limit: number) =>
    [...Map.groupBy(sent, keyOf).values()].filter(({ length }) => length > limit).length
  const found = {
    'emails outside the window': sent.filter(isOutside).length,
    'days of a sender above the limit': countAbove(
      (email) => `${dayOf(email)} ${email.senderId}`,
      daily_limit_per_sender,
    ),
    'days of the workspace above the limit': countAbove(dayOf, daily_limit_tenant),
    'emails that were sent twice': countAbove(({ address, subject }) => `${address} ${subject}`, 1),
    'emails that were not sent': 2 * size - sent.length,
  }
  return Object.entries(found).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]))
}

async function insertLeads(acme: TestWorkspace, size: number): Promise<{ id: string; email: string }[]> {
  const { rows } = await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, email, source, search_text, created_at, created_on)
     select $1, gen_random_uuid(), 'Lead ' || n, 'p' || n || '@outage.example', 'import', ' lead ' || n, now(), current_date
     from generate_series(1, $2::integer) n returning id, email`,
    [acme.id, size],
  )
  return rows as { id: string; email: string }[]
}

const secondsUntilMidnight = (now: Date): number => 86_400 - ((now.getTime() / 1_000) % 86_400)
