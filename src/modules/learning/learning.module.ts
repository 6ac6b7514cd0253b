import { scenarioUsePoint } from '#modules/coaching'
import { contentUsePoint } from '#modules/library'
import { promptUsePoint } from '#modules/pitches'
import { extend, type Module } from '#platform/module'
import { onLearnerDeactivated, onLearnerReactivated } from './absence/absent-learners.subscriptions.ts'
import { attemptRoutes } from './attempts/attempts.routes.ts'
import { expireAttemptsSchedule } from './attempts/expire-attempts.jobs.ts'
import { certificateRoutes } from './certificates/certificates.routes.ts'
import { onPitchReviewed, onRoleplayFinished } from './enrollments/complete-practice.subscriptions.ts'
import { enrollUsersHandler } from './enrollments/enroll.jobs.ts'
import {
  enrollTeamsHandler,
  onEnrollmentCreated,
  onPathPublished,
  onTeamMemberAdded,
} from './enrollments/enroll.subscriptions.ts'
import { learningErasure } from './enrollments/enrollments.erasures.ts'
import { enrollmentRoutes } from './enrollments/enrollments.routes.ts'
import { sendLearningRemindersSchedule } from './enrollments/reminders.jobs.ts'
import { renewCertificatesSchedule } from './enrollments/renew-certificates.jobs.ts'
import { learningChecks } from './integrity/learning.checks.ts'
import { learningErrors } from './learning.errors.ts'
import * as events from './learning.events.ts'
import { learningPresenters } from './learning.presenters.ts'
import { learningTables } from './learning.tables.ts'
import { completeEnrollmentsHandler } from './modules/complete-enrollments.jobs.ts'
import { onLearningContentHidden } from './modules/hidden-content.subscriptions.ts'
import { assertContentUnused, assertPromptUnused, assertScenarioUnused } from './modules/module-references.service.ts'
import { learningModuleRoutes } from './modules/modules.routes.ts'
import { learningPathRoutes } from './paths/paths.routes.ts'
import { questionBankRoutes } from './quizzes/banks.routes.ts'
import { learningSample } from './sample-data/learning-sample.ts'

export const learning: Module = {
  name: 'learning',
  purpose: 'Learning paths, enrollments, quizzes and certificates.',
  uses: ['identity', 'library', 'coaching', 'pitches'],
  schema: 'enablement',
  reads: ['enablement.content_items'],
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
