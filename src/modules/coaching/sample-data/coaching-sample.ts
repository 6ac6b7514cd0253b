import { sampleEnterpriseSellers, sampleMidMarketSellers } from '#modules/identity'
import { daysLater, secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { IntegrityRun, Random, RecordReference, SampleData, SampleRecord, SampleStep } from '#platform/module'
import { findPersona } from '../personas/personas.queries.ts'
import { createPersona } from '../personas/personas.service.ts'
import { createPresets } from '../presets/presets.service.ts'
import { scoreRoleplay } from '../roleplays/analysis.rules.ts'
import { playConversation } from '../roleplays/play-conversation.rules.ts'
import { insertRoleplay } from '../roleplays/roleplay.queries.ts'
import { seedOf, toBuyer } from '../roleplays/roleplay.rules.ts'
import { findScenario } from '../scenarios/scenarios.queries.ts'
import { createScenario, updateScenario } from '../scenarios/scenarios.service.ts'
import { isPassed, scoreByCoach } from '../sessions/scorecard.rules.ts'
import { insertSession } from '../sessions/sessions.queries.ts'
import { takeSnapshot } from '../sessions/sessions.rules.ts'
import { deleteSampleCoaching, insertSampleMessages } from './coaching-sample.queries.ts'
import {
  sampleActionItems,
  sampleBuyer,
  sampleConversations,
  sampleFeedback,
  sampleScenarios,
} from './sample-coaching.ts'

const sellers = [...sampleEnterpriseSellers, ...sampleMidMarketSellers]
const managers = ['user:2', 'user:3']
const days = 90
const roleplayCount = 40
const humanCount = 12
const sessionMinutes = 30
const secondsPerMessage = 25
/** A third of the sessions with a coach belong to the user who loads the data. */
const loaderShare = 3

export const coachingSample: SampleData = {
  name: 'coaching',
  plan: ({ random, now }) => [
    ...createSteps(),
    ...planRoleplays(random, now).map(roleplayStep),
    ...planHumanSessions(random, now).map(humanSessionStep),
  ],
  async remove({ inTenant }: IntegrityRun, records: readonly RecordReference[]) {
    const idsOf = (type: string) => records.filter(({ resource_type }) => resource_type === type).map(({ id }) => id)
    const ids = {
      scenarios: idsOf('coaching_scenario'),
      personas: idsOf('coaching_persona'),
      sessions: idsOf('coaching_session'),
    }
    const kept = await inTenant((tx) => deleteSampleCoaching(tx, ids))
    return kept.map((id) => ({ resource_type: 'coaching_persona', id }))
  },
}

const createSteps = (): SampleStep[] => [
  {
    author: 'user:1',
    async run(tx) {
      await createPresets(tx)
      return []
    },
  },
  {
    author: 'user:1',
    async run(tx, actor) {
      const { id } = await createPersona(tx, actor, sampleBuyer)
      return [{ key: 'coaching_persona:1', resource_type: 'coaching_persona', id }]
    },
  },
  ...sampleScenarios.map(
    ({ key, ...scenario }): SampleStep => ({
      author: 'user:1',
      async run(tx, actor, idOf) {
        const { id } = await createScenario(tx, actor, { ...scenario, persona_id: idOf('coaching_persona:1') })
        await updateScenario(tx, actor, id, { changes: { status: 'published' } })
        return [{ key, resource_type: 'coaching_scenario', id }]
      },
    }),
  ),
]

type PlannedRoleplay = { no: number; seller: string; scenario: string; attemptNo: number; level: number; at: Date }

/** Conversations get better with time, so that the statistics of the sellers show a trend. */
function planRoleplays(random: Random, now: Date): PlannedRoleplay[] {
  const attempts = new Map<string, number>()
  return Array.from({ length: roleplayCount }, (_, index) => {
    const seller = sellers[index % sellers.length]!
    const scenario = sampleScenarios[Math.floor(index / sellers.length) % sampleScenarios.length]!.key
    const attemptNo = (attempts.get(seller + scenario) ?? 0) + 1
    attempts.set(seller + scenario, attemptNo)
    const progress = index / roleplayCount
    const level = Math.floor(progress * sampleConversations.length + (random.chance(0.3) ? 0.5 : 0))
    return {
      no: index + 1,
      seller,
      scenario,
      attemptNo,
      level: Math.min(level, sampleConversations.length - 1),
      at: daysLater(now, -days * (1 - progress) + random.integer(0, 10) / 10),
    }
  })
}

function roleplayStep({ no, seller, scenario: key, attemptNo, level, at }: PlannedRoleplay): SampleStep {
  return {
    author: seller,
    async run(tx, { userId }, idOf) {
      const { scenario, persona } = await readExercise(tx, idOf(key), idOf('coaching_persona:1'))
      const buyer = toBuyer(persona, undefined)
      const snapshot = takeSnapshot(scenario)
      const seed = seedOf({ scenarioId: scenario.id, personaId: persona.id, attemptNo })
      const texts = sampleConversations[level]!
      const { conversation, messages } = playConversation({ buyer, snapshot, seed, texts, startedAt: at })
      const finishedAt = secondsLater(at, messages.length * secondsPerMessage)
      const provenance = { engine: 'rules' as const, model: null, fallback_reason: null }
      const scorecard = scoreRoleplay(conversation, messages, { provenance, now: finishedAt })
      const { id } = await insertRoleplay(tx, {
        id: newId(),
        kind: 'roleplay',
        status: 'finished',
        scenario_id: scenario.id,
        persona_id: persona.id,
        rep_id: userId,
        started_at: at,
        finished_at: finishedAt,
        last_activity_at: finishedAt,
        created_at: at,
        scenario_snapshot: JSON.stringify(snapshot),
        persona_snapshot: JSON.stringify(buyer),
        state: JSON.stringify({ ...conversation.state, questions: [] }),
        attempt_no: attemptNo,
        seed,
        mode: 'text',
        engine: 'rules',
        transcript_source: 'server',
        turns: conversation.state.turn,
        scorecard: JSON.stringify(scorecard),
        score: scorecard.score,
        passed: isPassed(scorecard.score, snapshot),
        created_by: userId,
      })
      await insertSampleMessages(
        tx,
        messages.map(({ seq, role, text }) => ({
          id: newId(),
          session_id: id,
          seq,
          role,
          text,
          engine: role === 'buyer' ? 'rules' : null,
          created_at: secondsLater(at, seq * secondsPerMessage),
        })),
      )
      return [{ key: `coaching_session:${no}`, resource_type: 'coaching_session', id }]
    },
  }
}

async function readExercise(tx: TenantTx, scenarioId: string, personaId: string) {
  const [scenario, persona] = [await findScenario(tx, scenarioId), await findPersona(tx, personaId)]
  if (!scenario || !persona) throw new Error('The sample scenario was deleted while the sample data was loaded.')
  return { scenario, persona }
}

type PlannedSession = {
  no: number
  seller: string
  coach: string | undefined
  score: number
  feedback: string
  at: Date
}

function planHumanSessions(random: Random, now: Date): PlannedSession[] {
  return Array.from({ length: humanCount }, (_, index) => {
    const progress = index / humanCount
    return {
      no: index + 1,
      seller: sellers[index % sellers.length]!,
      coach: index % loaderShare === 0 ? undefined : managers[Math.floor((index % sellers.length) / 3)]!,
      score: Math.round(55 + 30 * progress) + random.integer(-5, 5),
      feedback: random.pick(sampleFeedback),
      at: daysLater(now, -days * (1 - progress) + random.integer(0, 20) / 10),
    }
  })
}

function humanSessionStep({ no, seller, coach, score, feedback, at }: PlannedSession): SampleStep {
  return {
    ...(coach && { author: coach }),
    async run(tx, { userId }, idOf): Promise<SampleRecord[]> {
      const { scenario } = await readExercise(tx, idOf(sampleScenarios[no % 2]!.key), idOf('coaching_persona:1'))
      const snapshot = takeSnapshot(scenario)
      const scores = snapshot.rubric.map(({ key }, index) => ({ key, score: score + 3 * index - 4, comment: null }))
      const scorecard = scoreByCoach(snapshot, scores)
      const item = {
        id: newId(),
        text: sampleActionItems[no % sampleActionItems.length]!,
        due_on: null,
        done: no % 2 > 0,
      }
      const { id } = await insertSession(tx, {
        id: newId(),
        kind: 'human',
        status: 'completed',
        scenario_id: scenario.id,
        rep_id: idOf(seller),
        coach_id: userId,
        scheduled_at: at,
        duration_minutes: sessionMinutes,
        started_at: at,
        finished_at: secondsLater(at, sessionMinutes * 60),
        last_activity_at: at,
        created_at: daysLater(at, -3),
        scenario_snapshot: JSON.stringify(snapshot),
        scorecard: JSON.stringify(scorecard),
        coach_scores: JSON.stringify(scores),
        score: scorecard.score,
        passed: isPassed(scorecard.score, snapshot),
        feedback,
        action_items: JSON.stringify([item]),
        created_by: userId,
      })
      return [{ key: `coaching_session:${roleplayCount + no}`, resource_type: 'coaching_session', id }]
    },
  }
}
