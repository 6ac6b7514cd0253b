import { extend, type Module } from '#platform/module'
import { scenarioUsePoint } from './coaching-scenarios/scenario-use.ts'
import { contentUsePoint } from './content/content-use.ts'
import { learningErrors } from './learning.errors.ts'
import * as events from './learning.events.ts'
import { learningPresenters } from './learning.presenters.ts'
import { learningTables } from './learning.tables.ts'
import { onLearnerDeactivated, onLearnerReactivated } from './learning-absence/absent-learners.subscriptions.ts'
import { attemptRoutes } from './learning-attempts/attempts.routes.ts'
import { expireAttemptsSchedule } from './learning-attempts/expire-attempts.jobs.ts'
import { certificateRoutes } from './learning-certificates/certificates.routes.ts'
import { onPitchReviewed, onRoleplayFinished } from './learning-enrollments/complete-practice.subscriptions.ts'
import { enrollUsersHandler } from './learning-enrollments/enroll.jobs.ts'
import {
  enrollTeamsHandler,
  onEnrollmentCreated,
  onPathPublished,
  onTeamMemberAdded,
} from './learning-enrollments/enroll.subscriptions.ts'
import { enrollmentRoutes } from './learning-enrollments/enrollments.routes.ts'
import { learningErasure } from './learning-enrollments/learning-erasure.ts'
import { sendLearningRemindersSchedule } from './learning-enrollments/reminders.jobs.ts'
import { renewCertificatesSchedule } from './learning-enrollments/renew-certificates.jobs.ts'
import { learningChecks } from './learning-integrity/learning.checks.ts'
import { completeEnrollmentsHandler } from './learning-modules/complete-enrollments.jobs.ts'
import { onLearningContentHidden } from './learning-modules/hidden-content.subscriptions.ts'
import { assertContentUnused, assertPromptUnused, assertScenarioUnused } from './learning-modules/in-use.service.ts'
import { learningModuleRoutes } from './learning-modules/modules.routes.ts'
import { learningPathRoutes } from './learning-paths/paths.routes.ts'
import { questionBankRoutes } from './learning-quizzes/banks.routes.ts'
import { learningSample } from './learning-sample-data/learning-sample.ts'
import { promptUsePoint } from './pitch-prompts/prompt-use.ts'

export const learning: Module = {
  name: 'learning',
  purpose: 'Learning paths, enrollments, quizzes and certificates.',
  uses: ['identity', 'library', 'coaching', 'pitches'],
  schema: 'enablement',
  reads: ['platform.files'],
  routes: (services) => async (app) => {
    await app.register(learningPathRoutes(services))
    await app.register(learningModuleRoutes(services))
    await app.register(questionBankRoutes)
    await app.register(enrollmentRoutes(services))
    await app.register(attemptRoutes(services))
    await app.register(certificateRoutes(services))
  },
  tables: learningTables,
  errors: learningErrors,
  events: Object.values(events),
  schedules: (services) => [
    expireAttemptsSchedule(services),
    sendLearningRemindersSchedule(services),
    renewCertificatesSchedule(services),
  ],
  jobs: (services) => [
    enrollUsersHandler(services),
    enrollTeamsHandler(services),
    completeEnrollmentsHandler(services),
  ],
  subscriptions: [
    onRoleplayFinished,
    onPitchReviewed,
    onPathPublished,
    onTeamMemberAdded,
    onLearnerDeactivated,
    onLearnerReactivated,
    onEnrollmentCreated,
    onLearningContentHidden,
  ],
  integrityChecks: (services) => learningChecks(services),
  sampleData: () => [learningSample],
  erasures: [learningErasure],
  eventPresenters: learningPresenters,
  extensions: [
    extend(contentUsePoint, [assertContentUnused]),
    extend(scenarioUsePoint, [assertScenarioUnused]),
    extend(promptUsePoint, [assertPromptUnused]),
  ],
}
