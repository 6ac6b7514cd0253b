import type { UserActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { IntegrityRun, RecordReference, SampleData, SampleStep } from '#platform/module'
import { submitQuiz } from '../attempts/submit-quiz.service.ts'
import { completeModule } from '../enrollments/complete-module.service.ts'
import { enrollUsers } from '../enrollments/enroll-users.service.ts'
import { withdrawEnrollment } from '../enrollments/update-enrollment.service.ts'
import { createModule } from '../modules/modules.service.ts'
import { createLearningPath, updateLearningPath } from '../paths/paths.service.ts'
import { listQuestions } from '../quizzes/questions.queries.ts'
import type { ModuleRow } from '../records/module-row.ts'
import { listModulesOfPath } from '../records/modules.queries.ts'
import { deleteSampleLearning } from './remove-sample.queries.ts'
import { type SampleEnrollment, type SamplePath, sampleEnrollments, samplePaths } from './sample-learning.ts'

/** Paths with enrollments in every state: overdue, failed, certified, and with a certificate that expires soon. */
export const learningSample: SampleData = {
  name: 'learning',
  plan: ({ now }) => [
    ...samplePaths.map((path) => pathStep(path, now)),
    ...sampleEnrollments.map((enrollment) => enrollmentStep(enrollment, now)),
  ],
  async remove({ inTenant }: IntegrityRun, records: readonly RecordReference[]) {
    const paths = records.filter(({ resource_type }) => resource_type === 'learning_path').map(({ id }) => id)
    await inTenant((tx) => deleteSampleLearning(tx, paths))
    return []
  },
}

function pathStep({ key, author, daysAgo, isDraft, path, modules }: SamplePath, now: Date): SampleStep {
  return {
    author,
    async run(tx, actor) {
      const { id } = await createLearningPath(tx, actor, path, { now: daysLater(now, -daysAgo) })
      for (const module of modules) await createModule(tx, actor, id, module)
      if (!isDraft) await updateLearningPath(tx, actor, id, { changes: { status: 'published' } })
      return [{ key, resource_type: 'learning_path', id }]
    },
  }
}

/** Enrolls a learner, who then learns within a day. */
function enrollmentStep(planned: SampleEnrollment, now: Date): SampleStep {
  const { key, path, learner, daysAgo, dueInDays } = planned
  const enrolledAt = daysLater(now, -daysAgo)
  return {
    ...(learner && { author: learner }),
    async run(tx, actor, idOf) {
      const { created } = await enrollUsers(tx, idOf(path), [actor.userId], {
        source: 'assigned',
        assignedBy: idOf('user:1'),
        isMandatory: true,
        dueOn: daysLater(now, dueInDays).toISOString().slice(0, 10),
        again: 'never',
        now: enrolledAt,
      })
      const [enrollment] = created
      if (!enrollment) return []
      const modules = await listModulesOfPath(tx, idOf(path))
      if (planned.state === 'withdrawn') await withdrawEnrollment(tx, enrollment, titleOf(path))
      else await learn(tx, actor, planned, { enrollmentId: enrollment.id, modules, now: daysLater(enrolledAt, 1) })
      return [{ key, resource_type: 'learning_enrollment', id: enrollment.id }]
    },
  }
}

const titleOf = (path: string) => samplePaths.find(({ key }) => key === path)!.path

type Learning = { enrollmentId: string; modules: readonly ModuleRow[]; now: Date }

async function learn(tx: TenantTx, actor: UserActor, { state }: SampleEnrollment, learning: Learning): Promise<void> {
  const { enrollmentId, modules, now } = learning
  const texts = modules.filter(({ kind }) => kind === 'content')
  const read = state === 'in_progress' ? texts.slice(0, 1) : state === 'completed' || state === 'failed' ? texts : []
  for (const { id } of read) await completeModule(tx, actor, enrollmentId, { completion: { module_id: id }, now })
  const quiz = modules.find(({ kind }) => kind === 'quiz')!
  const ids = { enrollmentId, moduleId: quiz.id }
  const submit = (answers: Parameters<typeof submitQuiz>[3]['submitted']['answers']) =>
    submitQuiz(tx, actor, ids, { submitted: { answers }, now })
  if (state === 'completed') await submit(await readRightAnswers(tx, quiz.id))
  if (state === 'failed') for (let left = quiz.quiz!.max_attempts!; left > 0; left--) await submit([])
}

async function readRightAnswers(tx: TenantTx, moduleId: string) {
  const questions = await listQuestions(tx, { module_id: moduleId })
  return questions.map(({ id, spec }) => ({
    question_id: id,
    option_ids: spec.options!.filter(({ correct }) => correct).map((option) => option.id),
  }))
}
