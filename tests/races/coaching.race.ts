import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#platform/access'
import { inTenant, retryOnContention } from '#platform/db'
import { newId } from '#platform/ids'
import { endRoleplay } from '../../src/modules/coaching/roleplays/end-roleplay.flow.ts'
import { roleplayActions } from '../../src/modules/coaching/roleplays/roleplay.fixture.ts'
import { type Race, runConcurrently, type TestApp, type TestWorkspace } from './race.ts'

const { start, send, finish, createExercise } = roleplayActions
const texts = ['How big is your team?', 'Which tool do you use?', 'I see.', 'Let us schedule a call on Monday.']

type Roleplay = { id: string; url: string }

async function prepare(app: TestApp) {
  const acme = await app.tenant()
  const scenario = await createExercise(acme)
  const startRoleplay = async (messages: number): Promise<Roleplay> => {
    const roleplay = await start(acme.member, scenario)
    for (const text of texts.slice(0, messages)) await send(acme.member, roleplay, text)
    return roleplay
  }
  const sendMessage = ({ url }: Roleplay, text: string) => acme.member.post(`${url}/message`, { text })
  return { acme, startRoleplay, sendMessage, finish: (roleplay: Roleplay) => finish(acme.member, roleplay) }
}

/** Reads the session with the number of its messages and of its finished events, in one statement. */
async function readSession({ sql }: TestWorkspace, { id }: Roleplay) {
  const { rows } = await sql(
    `select status, turns, scorecard, claim_id,
       (select array_agg(seq order by seq) from enablement.roleplay_messages where session_id = session.id) as seqs,
       (select count(*)::int from platform.outbox_events where subject_id = $1 and type = 'coaching_session.finished') as events
     from enablement.coaching_sessions as session where id = $1::uuid`,
    [id],
  )
  const { seqs, ...session } = rows[0]
  const hasGap = seqs.length !== 2 * session.turns + 1 || seqs.some((seq: number, index: number) => seq !== index + 1)
  return { ...session, seqs, hasGap }
}

const describe = (value: unknown) => JSON.stringify(value)

export const messagesAtOnce: Race = {
  name: 'enablement-4-4 two messages at once',
  minRuns: 20,
  async prepare(app) {
    const { acme, startRoleplay, sendMessage, finish: end } = await prepare(app)
    return async () => {
      const roleplay = await startRoleplay(0)

      const [one, two] = await runConcurrently(
        () => sendMessage(roleplay, 'First.'),
        () => sendMessage(roleplay, 'Second.'),
      )

      const session = await readSession(acme, roleplay)
      await end(roleplay)
      const statuses = [one.status, two.status]
      const answered = statuses.filter((status) => status === 200).length
      const rejected = [one, two].filter(({ body }) => body.code === 'turn_in_progress').length
      if (!answered || answered + rejected !== 2) return { violation: `${one.text} ${two.text}` }
      if (session.hasGap || session.turns !== answered || session.claim_id) return { violation: describe(session) }
      return { outcome: answered === 2 ? 'one after the other' : `${statuses.indexOf(200) ? 'second' : 'first'} only` }
    }
  },
}

export const messageAgainstFinish: Race = {
  name: 'enablement-4-3 a message racing with finish',
  minRuns: 20,
  async prepare(app) {
    const { acme, startRoleplay, sendMessage, finish: end } = await prepare(app)
    return async () => {
      const roleplay = await startRoleplay(4)

      const [message, finished] = await runConcurrently(
        async () => {
          await sleep(Math.random() * 10)
          return await sendMessage(roleplay, 'One more thing.')
        },
        async () => {
          await sleep(Math.random() * 10)
          return await end(roleplay)
        },
      )

      if (message.status !== 200 && finished.status !== 200) return { violation: `${message.text} ${finished.text}` }
      if (finished.status === 409 && finished.body.code !== 'turn_in_progress') return { violation: finished.text }
      const { body } = finished.status === 200 ? finished : await end(roleplay)
      const session = await readSession(acme, roleplay)
      if (session.hasGap || session.turns !== (message.status === 200 ? 5 : 4)) return { violation: describe(session) }
      if (body.messages.length !== session.seqs.length || session.events !== 1) return { violation: describe(session) }
      return { outcome: message.status === 200 ? 'message first' : 'finish first' }
    }
  },
}

export const finishesAtOnce: Race = {
  name: 'enablement-4-3 two finishes at once',
  minRuns: 20,
  async prepare(app) {
    const { acme, startRoleplay, finish: end } = await prepare(app)
    return async () => {
      const roleplay = await startRoleplay(4)

      const both = await runConcurrently(
        () => end(roleplay),
        () => end(roleplay),
      )

      const done = both.filter(({ status }) => status === 200)
      const waiting = both.filter(({ body }) => body.code === 'evaluation_running')
      const session = await readSession(acme, roleplay)
      if (!done.length || done.length + waiting.length !== 2) return { violation: describe(both) }
      if (session.events !== 1 || session.status !== 'finished') return { violation: describe(session) }
      for (const { body } of done)
        if (describe(body.scorecard) !== describe(done[0]!.body.scorecard)) return { violation: 'two scorecards' }
      return { outcome: done.length === 2 ? 'one after the other' : 'one at a time' }
    }
  },
}

export const finishAgainstSchedule: Race = {
  name: 'enablement-4-13 finish racing with the schedule that ends lost evaluations',
  minRuns: 20,
  async prepare(app) {
    const { acme, startRoleplay, finish: end } = await prepare(app)
    return async () => {
      const roleplay = await startRoleplay(4)
      const lostAt = new Date(app.clock.now().getTime() - 121_000)
      await acme.sql(
        `update enablement.coaching_sessions set status = 'evaluating', claim_id = $2, claimed_until = $3, last_activity_at = $3
         where id = $1`,
        [roleplay.id, newId(), lostAt],
      )

      const [finished, isEndedByJob] = await runConcurrently(
        () => end(roleplay),
        async () => {
          // A request takes a few more steps than the job before it claims the roleplay.
          await sleep(Math.random() * 15)
          const lost = { id: roleplay.id, turns: 4, status: 'evaluating' }
          return await retryOnContention(
            () => endRoleplay((work) => inTenant(app.services.db, systemActor(acme.id), work), lost, app.clock.now()),
            AbortSignal.timeout(60_000),
          )
        },
      )

      const session = await readSession(acme, roleplay)
      if (finished.status !== 200 && finished.body.code !== 'evaluation_running') return { violation: finished.text }
      if (session.status !== 'finished' || session.events !== 1 || session.claim_id)
        return { violation: describe(session) }
      const { body } = await end(roleplay)
      if (finished.status === 200 && describe(finished.body.scorecard) !== describe(body.scorecard))
        return { violation: 'two scorecards' }
      return { outcome: isEndedByJob ? 'job first' : 'request first' }
    }
  },
}
