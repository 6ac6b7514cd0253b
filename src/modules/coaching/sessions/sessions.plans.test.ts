// Query plans of the lists and statistics of coaching and of its schedules, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listPersonaRows } from '../personas/personas.queries.ts'
import { listTenantsWithPersonas } from '../presets/presets.queries.ts'
import { listOverdueRoleplays, listTenantsWithOverdueRoleplays } from '../roleplays/overdue-roleplays.queries.ts'
import {
  countActiveRoleplays,
  deleteOldMessages,
  findLastAttempt,
  findMessageSeq,
  listMessages,
  listTenantsWithMessages,
} from '../roleplays/roleplay.queries.ts'
import { listAttempts, listScenarioRows } from '../scenarios/scenarios.queries.ts'
import { countOpenActionItems, listCountedSessions, listScenarioChoices } from '../stats/stats.queries.ts'
import { readVoiceUsage } from '../voice/voice.queries.ts'
import { listSessionRows, type SessionViewer } from './sessions.queries.ts'
import type { SessionQuery } from './sessions.schemas.ts'

const { owner, database } = await startPlanDb()
const [acmeId, sellerId, coachId, scenarioId, sessionId] = [newId(), newId(), newId(), newId(), newId()]

/** Sessions of five sellers; every 50th is rare in status, kind, coach and scenario. */
const insertSessions = (tenantId: string, sessions: number) => `
  insert into enablement.coaching_personas (tenant_id, id, name, job_title, style)
  select '${tenantId}', gen_random_uuid(), 'Buyer ' || n, 'Head', 'driver' from generate_series(1, 200) n;
  insert into enablement.coaching_scenarios (tenant_id, id, title, type, difficulty, status, rubric, search_text, created_at)
  select '${tenantId}', case n when 1 then '${scenarioId}'::uuid else gen_random_uuid() end, 'Call ' || n, 'demo', 'easy',
    (array['published', 'draft'])[1 + n % 2], '[{}]', ' call ' || n, now() - n * interval '1 minute'
  from generate_series(1, 300) n;
  insert into enablement.coaching_sessions (tenant_id, id, kind, status, scenario_id, rep_id, coach_id, mode, voice_seconds, attempt_no,
    seed, persona_snapshot, state, transcript_source, scenario_snapshot, started_at, finished_at, last_activity_at, created_at)
  select '${tenantId}', case n when 2 then '${sessionId}'::uuid else gen_random_uuid() end,
    case when n % 50 = 0 then 'human' else 'roleplay' end,
    case when n % 50 = 0 then 'completed' when n % 100 = 1 then 'active' when n % 100 = 51 then 'evaluating' else 'finished' end,
    case when n % 50 = 0 then '${scenarioId}'::uuid end, case n % 5 when 2 then '${sellerId}' else md5((n % 5)::text)::uuid end,
    case when n % 50 = 0 then '${coachId}'::uuid end, case when n % 20 = 3 then 'voice' else 'text' end,
    case when n % 20 = 3 then 900 end, 1, '', '{}', '{}', 'server', '{}', now() - n * interval '1 minute', now(),
    now() - n * interval '1 minute', now() - n * interval '1 minute'
  from generate_series(1, ${sessions}) n;
  insert into enablement.roleplay_messages (tenant_id, id, session_id, seq, role, text, client_message_id, created_at)
  select '${tenantId}', gen_random_uuid(), case when n <= 20 then '${sessionId}'::uuid else gen_random_uuid() end, n, 'rep', 'Hi', n,
    now() - n * interval '1 hour' from generate_series(1, 700) n`
await loadRows(owner, async (client) => {
  await client.query(insertSessions(newId(), 100))
  await client.query(insertSessions(acmeId, 2_000))
})
const { planOf: collectPlan, systemPlanOf } = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => collectPlan(systemActor(acmeId), work)
const page = { limit: 50, offset: 0, count: 'none' } as const
const manager: SessionViewer = { userId: newId(), seesAll: true, seesPrivate: true, ledUserIds: [] }
const seller: SessionViewer = { userId: sellerId, seesAll: false, seesPrivate: true, ledUserIds: [] }
const lead: SessionViewer = { userId: coachId, seesAll: false, seesPrivate: true, ledUserIds: [sellerId, newId()] }

test('sessions are read from an index in their order, also behind a cursor', async () => {
  const cases: [SessionViewer, Partial<SessionQuery>, string][] = [
    [manager, {}, 'by_creation'],
    [manager, { status: 'completed' }, 'by_status'],
    [manager, { kind: 'human' }, 'by_kind'],
    [manager, { coach_id: coachId }, 'by_coach'],
    [manager, { scenario_id: scenarioId }, 'by_scenario'],
    [manager, { rep_id: sellerId }, 'by_rep'],
    [seller, {}, 'by_rep'],
    [seller, { kind: 'roleplay' }, 'by_rep'],
    [lead, {}, 'by_(rep|coach)'],
    [lead, { rep_id: sellerId }, 'by_rep'],
    [{ ...seller, seesPrivate: false }, {}, 'by_rep'],
  ]
  for (const [viewer, filter, index] of cases) {
    let cursor: string | undefined
    const plan = await planOf(async (tx) => {
      cursor = (await listSessionRows(tx, viewer, { ...page, ...filter, limit: 20 })).next_cursor ?? undefined
    })
    const behind = await planOf((tx) => listSessionRows(tx, viewer, { ...page, ...filter, cursor }))
    const name = `${JSON.stringify(filter)}: ${plan}${behind}`
    assert.match(plan, new RegExp(`->  Index Scan using coaching_sessions_${index} `), name)
    // Few rows are left behind the cursor, so that sorting them may be cheaper.
    assert.match(behind, new RegExp(`(using|on) coaching_sessions_${index} `), name)
    assert.doesNotMatch(plan + behind, /Seq Scan/, name)
  }
})

test('personas and scenarios are read from an index in their order', async () => {
  const user = { userId: sellerId, role: 'member' } as UserActor
  const personas = await planOf((tx) => listPersonaRows(tx, { ...page, include_inactive: false }))
  const scenarios = await planOf((tx) => listScenarioRows(tx, user, page))

  assert.match(personas, /Index Scan using coaching_personas_by_name/)
  assert.match(scenarios, /Index Scan using coaching_scenarios_by_status/)
})

test('statistics, attempts and voice minutes read the sessions of one seller or one day', async () => {
  const since = new Date(Date.now() - 3_600_000)
  const cases: [(tx: TenantTx) => Promise<unknown>, string][] = [
    [(tx) => listCountedSessions(tx, sellerId, since), 'coaching_sessions_by_rep'],
    [(tx) => countOpenActionItems(tx, sellerId), 'coaching_sessions_by_rep'],
    [(tx) => countActiveRoleplays(tx, sellerId), 'coaching_sessions_by_(rep|status)'],
    [
      (tx) => findLastAttempt(tx, sellerId, { scenarioId, personaId: newId(), isPrivate: false }),
      'coaching_sessions_by_',
    ],
    [(tx) => listAttempts(tx, sellerId, [scenarioId, newId()]), 'coaching_sessions_by_'],
    [(tx) => readVoiceUsage(tx, sellerId, since), 'coaching_sessions_voice'],
    [(tx) => listScenarioChoices(tx), 'coaching_scenarios_by_status'],
    [(tx) => listMessages(tx, sessionId), 'roleplay_messages_seq_unique'],
    [(tx) => findMessageSeq(tx, sessionId, '7'), 'roleplay_messages_client_id_unique'],
  ]
  for (const [work, index] of cases) {
    const plan = await planOf(work)
    assert.match(plan, new RegExp(`(using|on) ${index}`), plan)
    assert.doesNotMatch(plan, /Seq Scan/, plan)
  }
})

test('schedules read only what is due', async () => {
  const before = new Date(Date.now() - 1_500 * 60_000)
  const limits = { evaluatingBefore: before, activeBefore: before }
  const old = new Date(Date.now() - 690 * 3_600_000)

  const tenants = await systemPlanOf((tx) => listTenantsWithOverdueRoleplays(tx, limits))
  const overdue = await planOf((tx) => listOverdueRoleplays(tx, limits, 50))
  const messages = await planOf((tx) => deleteOldMessages(tx, old, 5_000))
  const withMessages = await systemPlanOf((tx) => listTenantsWithMessages(tx, old))
  const withPersonas = await systemPlanOf(listTenantsWithPersonas)

  for (const plan of [tenants, overdue, messages, withMessages, withPersonas])
    assert.doesNotMatch(plan, /Seq Scan on (coaching|roleplay)/, plan)
  assert.match(tenants, /coaching_sessions_active[\s\S]*Index Cond|coaching_sessions_evaluating[\s\S]*Index Cond/)
  assert.match(messages, /roleplay_messages_by_creation/)
  assert.match(withMessages, /roleplay_messages_by_creation/)
})
