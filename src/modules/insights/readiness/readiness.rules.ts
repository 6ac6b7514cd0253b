import { type Decimal, decimal, maxOf, roundHalfUp, sumOf } from '#platform/decimal'

export const componentNames = ['learning', 'coaching', 'pitch', 'content'] as const
export type ComponentName = (typeof componentNames)[number]
export const levels = ['ready', 'developing', 'at_risk', 'not_ready', 'unknown'] as const
export type Level = (typeof levels)[number]

export type ReadinessSettings = {
  weights: Record<ComponentName, number>
  targets: { sessions: number; items: number; shares: number }
}

export type EnrollmentFacts = {
  id: string
  title: string
  progress: number
  isOpen: boolean
  isFailed: boolean
  isOverdue: boolean
  /** Completed, but the certificate has expired or was revoked. */
  isLapsed: boolean
  due_on: string | null
}
export type SessionFacts = { id: string; score: number; ageDays: number; criteria: { name: string; score: number }[] }
export type PitchFacts = {
  prompt_id: string
  title: string
  passing_score: number
  best_score: number | null
  isSubmitted: boolean
  isOverdue: boolean
  due_on: string | null
}
export type RequiredItem = { id: string; title: string; isRead: boolean }

/** Facts that the score of a user is calculated from. */
export type ReadinessFacts = {
  enrollments: EnrollmentFacts[]
  quizScores: number[]
  hasScenarios: boolean
  sessions: SessionFacts[]
  pitches: PitchFacts[]
  hasItems: boolean
  items: number
  required: RequiredItem[]
  shares: number
}

const lapsedProgress = 0.5
const [completionShare, qualityShare] = [0.7, 0.3]
const [overduePenalty, maxPenalty] = [5, 25]
const halfLifeDays = 30
const [itemShare, requiredShare, roomShare] = [0.5, 0.3, 0.2]
const levelStarts: [Level, number][] = [
  ['ready', 80],
  ['developing', 60],
  ['at_risk', 40],
]

/** Other fields of content, such as the title, change no score. */
export const isReadingChange = (changed: readonly string[]): boolean =>
  changed.includes('audience_team_ids') || changed.includes('is_required_reading')

const meanOf = (values: readonly Decimal[]): Decimal => sumOf(values).div(values.length)
const shareOf = (count: number, target: number): Decimal => decimal(Math.min(count, target)).div(target)

/** Null if no path is mandatory for the user. */
function scoreLearning({ enrollments, quizScores }: ReadinessFacts): Decimal | null {
  if (!enrollments.length) return null
  const completion = meanOf(enrollments.map(({ progress, isLapsed }) => decimal(isLapsed ? lapsedProgress : progress)))
  const quality = quizScores.length ? meanOf(quizScores.map((score) => decimal(score))).div(100) : completion
  const overdue = enrollments.filter(({ isOverdue }) => isOverdue).length
  const earned = completion.times(completionShare).plus(quality.times(qualityShare)).times(100)
  return maxOf(decimal(0), earned.minus(Math.min(maxPenalty, overduePenalty * overdue)))
}

/** Newer sessions count more: half after 30 days. */
function averageSessions(sessions: readonly SessionFacts[]): Decimal {
  const weights = sessions.map(({ ageDays }) => decimal(0.5 ** (ageDays / halfLifeDays)))
  const weighted = sessions.map(({ score }, index) => weights[index]!.times(score))
  return sumOf(weighted).div(sumOf(weights))
}

/** Null without published scenarios. */
function scoreCoaching(
  { hasScenarios, sessions }: ReadinessFacts,
  { sessions: target }: ReadinessSettings['targets'],
): Decimal | null {
  if (!hasScenarios) return null
  if (!sessions.length) return decimal(0)
  return averageSessions(sessions).times(shareOf(sessions.length, target).times(0.5).plus(0.5))
}

/** Null if no pitch is due or scored. A submitted pitch without a score waits for its evaluation. */
function scorePitch({ pitches }: ReadinessFacts): Decimal | null {
  const scores = pitches.flatMap(({ best_score, isSubmitted, isOverdue }) =>
    best_score !== null ? [decimal(best_score)] : isOverdue && !isSubmitted ? [decimal(0)] : [],
  )
  return scores.length ? meanOf(scores) : null
}

/** Null without published content. */
function scoreContent({ hasItems, items, required, shares }: ReadinessFacts, targets: ReadinessSettings['targets']) {
  if (!hasItems) return null
  const used = shareOf(items, targets.items).times(itemShare).plus(shareOf(shares, targets.shares).times(roomShare))
  if (!required.length) return used.div(itemShare + roomShare).times(100)
  const read = decimal(required.filter(({ isRead }) => isRead).length).div(required.length)
  return used.plus(read.times(requiredShare)).times(100)
}

type ComponentScores = Record<ComponentName, Decimal | null>

const scoreComponents = (facts: ReadinessFacts, { targets }: ReadinessSettings): ComponentScores => ({
  learning: scoreLearning(facts),
  coaching: scoreCoaching(facts, targets),
  pitch: scorePitch(facts),
  content: scoreContent(facts, targets),
})

/** Weighted average of the components that apply; null if none with a weight does. */
function scoreOverall(components: ComponentScores, { weights }: ReadinessSettings): Decimal | null {
  const counted = componentNames.filter((name) => components[name] !== null && weights[name] > 0)
  if (!counted.length) return null
  const total = sumOf(counted.map((name) => decimal(weights[name])))
  return sumOf(counted.map((name) => components[name]!.times(weights[name]))).div(total)
}

export const levelOf = (score: number | null): Level =>
  score === null ? 'unknown' : (levelStarts.find(([, start]) => score >= start)?.[0] ?? 'not_ready')

export const gapKinds = [
  'enrollment_overdue',
  'enrollment_open',
  'enrollment_failed',
  'certificate_lapsed',
  'session_missing',
  'pitch_due',
  'required_item_unread',
  'criterion_low',
] as const
export type Gap = {
  kind: (typeof gapKinds)[number]
  title: string
  ref: { type: string; id: string } | null
  due_on: string | null
  impact_points: number
}

export type Readiness = {
  score: number | null
  level: Level
  coverage: number
  components: Record<ComponentName, number | null>
  gaps: Gap[]
}

export function calculateReadiness(facts: ReadinessFacts, settings: ReadinessSettings): Readiness {
  const components = scoreComponents(facts, settings)
  const exact = scoreOverall(components, settings)
  const score = exact === null ? null : roundHalfUp(exact, 1)
  const covered = componentNames.filter((name) => components[name] !== null)
  const rounded = (name: ComponentName) => (components[name] === null ? null : roundHalfUp(components[name], 2))
  return {
    score,
    level: levelOf(score),
    coverage: roundHalfUp(sumOf(covered.map((name) => decimal(settings.weights[name]))).div(100), 2),
    components: {
      learning: rounded('learning'),
      coaching: rounded('coaching'),
      pitch: rounded('pitch'),
      content: rounded('content'),
    },
    gaps: listGaps(facts, settings, exact),
  }
}

/** Points that the score would gain if the facts were different. */
function impactOf(changed: ReadinessFacts, settings: ReadinessSettings, exact: Decimal | null): number {
  const after = scoreOverall(scoreComponents(changed, settings), settings)
  return after === null ? 0 : roundHalfUp(after.minus(exact ?? 0), 1)
}

type OpenGap = Omit<Gap, 'impact_points'> & { closed: ReadinessFacts }

/** Lists what is missing, the largest gain first. */
function listGaps(facts: ReadinessFacts, settings: ReadinessSettings, exact: Decimal | null): Gap[] {
  return [
    ...listLearningGaps(facts),
    ...listPitchGaps(facts),
    ...listSessionGaps(facts, settings),
    ...listContentGaps(facts),
    ...listCriterionGaps(facts),
  ]
    .map(({ closed, ...gap }) => ({ ...gap, impact_points: impactOf(closed, settings, exact) }))
    .toSorted((one, other) => other.impact_points - one.impact_points)
}

const listLearningGaps = (facts: ReadinessFacts): OpenGap[] =>
  facts.enrollments
    .filter(({ isOpen, isFailed, isLapsed }) => isOpen || isFailed || isLapsed)
    .map((enrollment) => ({
      kind: learningGapOf(enrollment),
      title: enrollment.title,
      ref: { type: 'learning_enrollment', id: enrollment.id },
      due_on: enrollment.due_on,
      closed: {
        ...facts,
        enrollments: facts.enrollments.map((other) =>
          other === enrollment ? { ...other, progress: 1, isOverdue: false, isLapsed: false } : other,
        ),
      },
    }))

function learningGapOf({ isLapsed, isFailed, isOverdue }: EnrollmentFacts): Gap['kind'] {
  if (isLapsed) return 'certificate_lapsed'
  if (isFailed) return 'enrollment_failed'
  return isOverdue ? 'enrollment_overdue' : 'enrollment_open'
}

const listPitchGaps = (facts: ReadinessFacts): OpenGap[] =>
  facts.pitches
    .filter(({ isSubmitted }) => !isSubmitted)
    .map((pitch) => ({
      kind: 'pitch_due',
      title: pitch.title,
      ref: { type: 'pitch_prompt', id: pitch.prompt_id },
      due_on: pitch.due_on,
      closed: {
        ...facts,
        pitches: facts.pitches.map((other) =>
          other === pitch ? { ...other, best_score: other.passing_score, isSubmitted: true } : other,
        ),
      },
    }))

/** The score of a first session is unknown; this is the usual passing score. */
const assumedScore = 70

function listSessionGaps(facts: ReadinessFacts, { targets }: ReadinessSettings): OpenGap[] {
  const { hasScenarios, sessions } = facts
  if (!hasScenarios || sessions.length >= targets.sessions) return []
  const score = sessions.length ? averageSessions(sessions).toNumber() : assumedScore
  const another = { id: '', score, ageDays: 0, criteria: [] }
  const title = `Practice ${targets.sessions - sessions.length} more`
  return [
    { kind: 'session_missing', title, ref: null, due_on: null, closed: { ...facts, sessions: [...sessions, another] } },
  ]
}

const listContentGaps = (facts: ReadinessFacts): OpenGap[] =>
  facts.required
    .filter(({ isRead }) => !isRead)
    .map((item) => ({
      kind: 'required_item_unread',
      title: item.title,
      ref: { type: 'content', id: item.id },
      due_on: null,
      closed: {
        ...facts,
        required: facts.required.map((other) => (other === item ? { ...other, isRead: true } : other)),
      },
    }))

const lowCriterionScore = 60

/** The weakest criterion of the sessions. Its gain is unknown, because sessions have other criteria too. */
function listCriterionGaps(facts: ReadinessFacts): OpenGap[] {
  const results = facts.sessions.flatMap(({ id, criteria }) => criteria.map((criterion) => ({ ...criterion, id })))
  const averages = [...Map.groupBy(results, ({ name }) => name)].map(([name, scores]) => ({
    name,
    average: scores.reduce((sum, { score }) => sum + score, 0) / scores.length,
    id: scores[0]!.id,
  }))
  const [weakest] = averages.toSorted((one, other) => one.average - other.average)
  if (!weakest || weakest.average >= lowCriterionScore) return []
  const ref = { type: 'coaching_session', id: weakest.id }
  return [{ kind: 'criterion_low', title: weakest.name, ref, due_on: null, closed: facts }]
}
