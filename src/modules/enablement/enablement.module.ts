import { emailKindPoint } from '#modules/crm'
import { homePartPoint, profilePartPoint, searchSourcePoint } from '#modules/identity'
import { extend, type Module } from '#platform/module'
import { coachingChecks } from './coaching-integrity/coaching.checks.ts'
import { personaRoutes } from './coaching-personas/personas.routes.ts'
import { createPresetsSchedule } from './coaching-presets/presets.jobs.ts'
import { onTenantCreated } from './coaching-presets/presets.subscriptions.ts'
import { finishRoleplaysSchedule } from './coaching-roleplay/finish-roleplays.jobs.ts'
import { purgeMessagesSchedule } from './coaching-roleplay/purge-messages.jobs.ts'
import { roleplayRoutes } from './coaching-roleplay/roleplay.routes.ts'
import { coachingSample } from './coaching-sample-data/coaching-sample.ts'
import { scenarioUsePoint } from './coaching-scenarios/scenario-use.ts'
import { scenarioRoutes } from './coaching-scenarios/scenarios.routes.ts'
import { assertPersonaUnused } from './coaching-scenarios/scenarios.service.ts'
import { sessionErasure } from './coaching-sessions/session-erasure.ts'
import { sessionRoutes } from './coaching-sessions/sessions.routes.ts'
import { transcriptSettings, voiceSettings } from './coaching-settings/coaching-settings.ts'
import { speechSettings } from './coaching-settings/speech-settings.ts'
import { coachingStatsRoutes } from './coaching-stats/stats.routes.ts'
import { voiceRoutes } from './coaching-voice/voice.routes.ts'
import { removeItemFromCollections } from './collections/collection-items.service.ts'
import { collectionRoutes } from './collections/collections.routes.ts'
import { contentRoutes } from './content/content.routes.ts'
import { contentSearchSource } from './content/content-search-source.ts'
import { contentSettings } from './content/content-settings.ts'
import { contentUsePoint } from './content/content-use.ts'
import { contentAnalyticsRoutes } from './content-analytics/analytics.routes.ts'
import { roomNamePoint } from './content-analytics/room-names.ts'
import { contentFilePurpose } from './content-files/content-file-purpose.ts'
import { publicContentFileRoutes } from './content-files/content-files.public.routes.ts'
import { contentFileRoutes } from './content-files/content-files.routes.ts'
import { contentReaderPoint } from './content-files/content-reader.ts'
import { expireContentSchedule, reviewDueSchedule } from './content-schedules/content-schedules.jobs.ts'
import { foldViewsSchedule, refreshContentStatsSchedule } from './content-views/fold-views.jobs.ts'
import { contentViewRoutes } from './content-views/views.routes.ts'
import { enablementErrors } from './enablement.errors.ts'
import * as events from './enablement.events.ts'
import { enablementPresenters } from './enablement.presenters.ts'
import { enablementReferences } from './enablement.references.ts'
import { enablementTables } from './enablement.tables.ts'
import { contentErasures } from './erasure/content-erasures.ts'
import { expertChecks } from './expert-integrity/experts.checks.ts'
import { advanceRequestsSchedule, onExpertFree, routeRequestsHandler } from './expert-requests/requests.jobs.ts'
import { expertRequestRoutes } from './expert-requests/requests.routes.ts'
import { expertsSample } from './expert-sample-data/experts-sample.ts'
import { expertErasure } from './experts/expert-erasure.ts'
import { expertSettings } from './experts/expert-settings.ts'
import { deactivateExpertHandler, onExpertRoleChanged, onExpertUserDeactivated } from './experts/experts.jobs.ts'
import { expertRoutes } from './experts/experts.routes.ts'
import { enablementHomeParts } from './home/home-parts.ts'
import { onInsightsChanged, refreshInsightsSchedule } from './insights/insights.jobs.ts'
import { insightRoutes } from './insights/insights.routes.ts'
import { readinessChecks } from './insights-integrity/readiness.checks.ts'
import { insightsSample } from './insights-sample-data/insights-sample.ts'
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
import { libraryChecks } from './library-integrity/library.checks.ts'
import { enablementSample } from './library-sample-data/library-sample.ts'
import { pitchCommentRoutes } from './pitch-comments/comments.routes.ts'
import { endEvaluationHandler, onEvaluationTaskEnded } from './pitch-evaluation/end-evaluation.jobs.ts'
import { evaluateRecordingHandler } from './pitch-evaluation/evaluate-recording.jobs.ts'
import { pitchEvaluationRoutes } from './pitch-evaluation/evaluation.routes.ts'
import { pitchChecks } from './pitch-integrity/pitch.checks.ts'
import { notifyAssigneesHandler, onPromptAssigned } from './pitch-prompts/notify-assignees.jobs.ts'
import { promptUsePoint } from './pitch-prompts/prompt-use.ts'
import { promptRoutes } from './pitch-prompts/prompts.routes.ts'
import { pitchReviewRoutes } from './pitch-reviews/reviews.routes.ts'
import { pitchSample } from './pitch-sample-data/pitch-sample.ts'
import { pitchErasure } from './pitch-submissions/pitch-erasure.ts'
import { submissionRoutes } from './pitch-submissions/submissions.routes.ts'
import { deletePitchVideosSchedule } from './pitch-videos/delete-videos.jobs.ts'
import { pitchVideoPurpose } from './pitch-videos/pitch-video-purpose.ts'
import { videoSettings } from './pitch-videos/video-settings.ts'
import { pitchVideoRoutes } from './pitch-videos/videos.routes.ts'
import { enablementProfileParts } from './profile/profile-parts.ts'
import {
  markReadersSchedule,
  markSellersHandler,
  readinessSubscriptions,
  recomputeAllReadinessSchedule,
  recomputeReadinessSchedule,
} from './readiness/readiness.jobs.ts'
import { readinessRoutes } from './readiness/readiness.routes.ts'
import { readinessErasure } from './readiness/readiness-erasure.ts'
import { readinessSettings } from './readiness/readiness-settings.ts'
import { foldRoomVisitsSchedule } from './room-analytics/fold-visits.jobs.ts'
import { roomAnalyticsRoutes } from './room-analytics/room-analytics.routes.ts'
import { reviewRoomsSchedule } from './room-analytics/silent-rooms.jobs.ts'
import { roomChecks } from './room-integrity/room.checks.ts'
import { onContentHidden } from './room-items/hidden-content.subscriptions.ts'
import { roomItemRoutes } from './room-items/room-items.routes.ts'
import { linkEmails } from './room-links/link-emails.ts'
import { roomLinkRoutes } from './room-links/room-links.routes.ts'
import { planPageRoutes } from './room-pages/plan-page.public.routes.ts'
import { previewPageRoutes } from './room-pages/preview-page.public.routes.ts'
import { roomPageRoutes } from './room-pages/room-pages.public.routes.ts'
import { roomScriptRoutes } from './room-pages/room-scripts.public.routes.ts'
import { roomViewerRoutes } from './room-pages/viewer.public.routes.ts'
import { roomPlanRoutes } from './room-plan/room-plan.routes.ts'
import { roomPreviewRoutes } from './room-previews/room-preview.routes.ts'
import { findRoomNames } from './room-records/rooms.queries.ts'
import { roomSample } from './room-sample-data/room-sample.ts'
import { roomSearchSource } from './room-search/room-search-source.ts'
import { visitTokensOf } from './room-visit-records/visit-tokens.ts'
import { onContactDeleted, onRoomVisited } from './room-visits/log-visits.subscriptions.ts'
import { roomErasure, roomMentionErasure } from './room-visits/room-erasure.ts'
import { publicRoomRoutes } from './room-visits/room-visits.public.routes.ts'
import { sendCodeHandler } from './room-visits/send-code.jobs.ts'
import { visitSettings } from './room-visits/visit-settings.ts'
import { mayVisitorRead } from './room-visits/visitor-files.service.ts'
import { onOwnerDeactivated, reassignRoomsHandler } from './rooms/reassign-rooms.jobs.ts'
import { roomRoutes } from './rooms/rooms.routes.ts'
import { onAccountRenamed } from './rooms/rooms.subscriptions.ts'

export const enablement: Module = {
  name: 'enablement',
  purpose:
    'Sales content, collections, rooms shared with buyers, coaching of sellers, pitch practice, learning paths, experts, insights and readiness.',
  uses: ['identity', 'crm'],
  schema: 'enablement',
  reads: ['platform.files'],
  routes: (services) => async (app) => {
    await app.register(contentRoutes(services, { removeEntries: [removeItemFromCollections] }))
    await app.register(contentViewRoutes(services))
    await app.register(contentFileRoutes(services))
    await app.register(publicContentFileRoutes(services))
    await app.register(roomRoutes(services))
    await app.register(roomItemRoutes)
    await app.register(roomLinkRoutes(services))
    await app.register(roomPlanRoutes(services))
    await app.register(roomAnalyticsRoutes(services))
    await app.register(publicRoomRoutes(services, visitTokensOf(services)))
    await app.register(roomPreviewRoutes(services, visitTokensOf(services)))
    await app.register(roomPageRoutes(services, visitTokensOf(services)))
    await app.register(previewPageRoutes(services, visitTokensOf(services)))
    await app.register(planPageRoutes(services, visitTokensOf(services)))
    await app.register(roomViewerRoutes(services, visitTokensOf(services)))
    await app.register(roomScriptRoutes)
    await app.register(contentAnalyticsRoutes(services))
    await app.register(collectionRoutes(services))
    await app.register(personaRoutes(services, { assertUnused: assertPersonaUnused }))
    await app.register(scenarioRoutes(services))
    await app.register(sessionRoutes(services))
    await app.register(roleplayRoutes(services))
    await app.register(voiceRoutes(services))
    await app.register(coachingStatsRoutes(services))
    await app.register(promptRoutes(services))
    await app.register(submissionRoutes(services))
    await app.register(pitchVideoRoutes(services))
    await app.register(pitchEvaluationRoutes(services))
    await app.register(pitchReviewRoutes)
    await app.register(pitchCommentRoutes)
    await app.register(learningPathRoutes(services))
    await app.register(learningModuleRoutes(services))
    await app.register(questionBankRoutes)
    await app.register(enrollmentRoutes(services))
    await app.register(attemptRoutes(services))
    await app.register(certificateRoutes(services))
    await app.register(expertRoutes(services))
    await app.register(expertRequestRoutes(services))
    await app.register(insightRoutes(services))
    await app.register(readinessRoutes(services))
  },
  tables: enablementTables,
  errors: enablementErrors,
  events: Object.values(events),
  schedules: (services) => [
    foldViewsSchedule(services),
    refreshContentStatsSchedule(services),
    expireContentSchedule(services),
    reviewDueSchedule(services),
    foldRoomVisitsSchedule(services),
    reviewRoomsSchedule(services),
    finishRoleplaysSchedule(services),
    purgeMessagesSchedule(services),
    createPresetsSchedule,
    deletePitchVideosSchedule(services),
    expireAttemptsSchedule(services),
    sendLearningRemindersSchedule(services),
    renewCertificatesSchedule(services),
    advanceRequestsSchedule(services),
    refreshInsightsSchedule(services),
    recomputeReadinessSchedule(services),
    recomputeAllReadinessSchedule(services),
    markReadersSchedule(services),
  ],
  jobs: (services) => [
    reassignRoomsHandler,
    sendCodeHandler(services, visitTokensOf(services)),
    notifyAssigneesHandler,
    evaluateRecordingHandler(services),
    endEvaluationHandler,
    enrollUsersHandler(services),
    enrollTeamsHandler(services),
    completeEnrollmentsHandler(services),
    routeRequestsHandler(services),
    deactivateExpertHandler(services),
    markSellersHandler,
  ],
  subscriptions: [
    onAccountRenamed,
    onOwnerDeactivated,
    onContentHidden,
    onRoomVisited,
    onContactDeleted,
    onTenantCreated,
    onPromptAssigned,
    onEvaluationTaskEnded,
    onRoleplayFinished,
    onPitchReviewed,
    onPathPublished,
    onTeamMemberAdded,
    onLearnerDeactivated,
    onLearnerReactivated,
    onEnrollmentCreated,
    onLearningContentHidden,
    onExpertFree,
    onExpertUserDeactivated,
    onExpertRoleChanged,
    onInsightsChanged,
    ...readinessSubscriptions,
  ],
  integrityChecks: (services) => [
    ...libraryChecks,
    ...roomChecks,
    ...coachingChecks(services),
    ...pitchChecks(services),
    ...learningChecks(services),
    ...expertChecks(services),
    ...readinessChecks,
  ],
  sampleData: (services) => [
    enablementSample(services),
    roomSample(services),
    coachingSample,
    pitchSample(services),
    learningSample,
    expertsSample,
    insightsSample,
  ],
  erasures: [
    ...contentErasures,
    roomMentionErasure,
    roomErasure,
    sessionErasure,
    pitchErasure,
    learningErasure,
    expertErasure,
    readinessErasure,
  ],
  mergeReferences: enablementReferences,
  eventPresenters: enablementPresenters,
  settings: [
    contentSettings,
    transcriptSettings,
    videoSettings,
    voiceSettings,
    expertSettings,
    readinessSettings,
    visitSettings,
    speechSettings,
  ],
  extensions: [
    extend(emailKindPoint, [linkEmails]),
    extend(profilePartPoint, enablementProfileParts),
    extend(homePartPoint, enablementHomeParts),
    extend(searchSourcePoint, [contentSearchSource, roomSearchSource]),
    extend(contentReaderPoint, [mayVisitorRead]),
    extend(roomNamePoint, [findRoomNames]),
    extend(contentUsePoint, [assertContentUnused]),
    extend(scenarioUsePoint, [assertScenarioUnused]),
    extend(promptUsePoint, [assertPromptUnused]),
  ],
  filePurposes: (extensionsOf) => [contentFilePurpose(extensionsOf), pitchVideoPurpose],
}
